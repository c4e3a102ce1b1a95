import { useNavigating } from "../lib/navigation";

/**
 * A progress bar during slow navigations. The style sheet shows it only after 150 ms, so fast ones have none.
 * For screen readers the title of the new page is announced instead.
 */
export function Progress() {
  return useNavigating() ? <div className="progress" aria-hidden="true" /> : null;
}
