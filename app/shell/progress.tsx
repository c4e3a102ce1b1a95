import { useNavigating } from "../lib/navigation";

/**
 * A bar at the top while a slow navigation runs. The style sheet shows it only after 150 ms, so a quick one has none.
 * Screen readers hear the title of the new page instead.
 */
export function Progress() {
  return useNavigating() ? <div className="progress" aria-hidden="true" /> : null;
}
