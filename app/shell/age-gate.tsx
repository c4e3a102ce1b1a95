import { type FormEvent, useEffect, useState } from "react";
import { whenIdle } from "../lib/quiet";
import { useShared } from "../lib/shared";
import type { AgeRefusedPage } from "../lib/types";
import { Button } from "../ui/button";
import { Wordmark } from "./wordmark";

interface Props {
  /** The refusal of a form that was posted without scripts. */
  refused: AgeRefusedPage | null;
  url: string;
}

/**
 * The age gate over the inert site. Because everything else is inert, the focus cannot leave it. It disappears when the
 * next server response says that the visitor is verified.
 */
export function AgeGate({ refused, url }: Props) {
  const { company, max_birth_date, user } = useShared();
  const [error, setError] = useState(refused?.error ?? null);
  const [busy, setBusy] = useState(false);

  // While the visitor reads.
  useEffect(() => whenIdle(() => void loadCode().catch(() => {})), []);

  async function submit(event: FormEvent<HTMLFormElement>): Promise<void> {
    event.preventDefault();
    const form = event.currentTarget;
    const input = form.elements.namedItem("birth_date") as HTMLInputElement;
    setBusy(true);
    const code = await loadCode().catch(() => null);
    // The form also works without this code.
    if (!code) return form.submit();
    const problem = await code.enter(input.value, user?.sub ?? null, refused);
    setError(problem);
    if (problem) input.focus();
    setBusy(false);
  }

  return (
    <div className="gate">
      <dialog
        open
        className="gate-card"
        aria-modal="true"
        aria-labelledby="gate-heading"
        aria-describedby="gate-note"
      >
        <Wordmark name={company.name} />
        <h2 id="gate-heading">Are you at least 21 years old?</h2>
        <form method="post" action="/verify-age" noValidate onSubmit={submit}>
          <input type="hidden" name="return_to" value={refused?.return_to ?? url} />
          <label className="label" htmlFor="birth-date">
            Date of birth
          </label>
          <input
            id="birth-date"
            name="birth_date"
            type="date"
            className="input"
            max={max_birth_date}
            autoComplete="bday"
            autoFocus
            required
            aria-invalid={error !== null}
            aria-describedby={error ? "gate-error" : undefined}
          />
          {error && (
            <p id="gate-error" className="field-error" role="alert">
              {error}
            </p>
          )}
          <Button type="submit" aria-disabled={busy}>
            Enter
          </Button>
          {/* With scripts, `enter.ts` sees whether the browser keeps cookies. */}
          <p className="needs-no-scripts">
            If this question comes back, allow cookies for this site.
          </p>
        </form>
        <p id="gate-note" className="gate-note">
          You must be 21+ to enter this site. We use this information solely for age verification
          and do not store it.
        </p>
        <p className="gate-legal">{company.legal_line}</p>
      </dialog>
    </div>
  );
}

const loadCode = () => import("./enter");
