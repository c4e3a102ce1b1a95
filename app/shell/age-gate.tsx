import { type FormEvent, useState } from "react";
import { birthDateProblem, rememberVerified } from "../lib/age";
import { navigate, refresh } from "../lib/navigation";
import { useShared } from "../lib/shared";
import type { AgeRefusedPage } from "../lib/types";
import { Button } from "../ui/button";
import { Wordmark } from "./wordmark";

interface Props {
  /** The server has refused the form of a browser without scripts. */
  refused: AgeRefusedPage | null;
  url: string;
}

/**
 * The dialog over the inert site. Everything else is inert, so the focus cannot leave it; it goes when the server's
 * next answer says that the visitor is verified.
 */
export function AgeGate({ refused, url }: Props) {
  const { company, max_birth_date } = useShared();
  const [error, setError] = useState(refused?.error ?? null);
  const [busy, setBusy] = useState(false);

  async function enter(event: FormEvent<HTMLFormElement>): Promise<void> {
    event.preventDefault();
    const input = event.currentTarget.elements.namedItem("birth_date") as HTMLInputElement;
    setBusy(true);
    const problem = birthDateProblem(input.value, max_birth_date) ?? (await askServer(input.value));
    setError(problem);
    if (problem) input.focus();
    else if (refused) await navigate(refused.return_to, { replace: true });
    else await refresh();
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
        <Wordmark />
        <h2 id="gate-heading">Are you at least 21 years old?</h2>
        <form method="post" action="/verify-age" noValidate onSubmit={enter}>
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
          <Button type="submit" disabled={busy}>
            Enter
          </Button>
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

/** What the server says against this birth date, or null when it lets the visitor in. */
async function askServer(birthDate: string): Promise<string | null> {
  try {
    const response = await fetch("/api/verify-age", {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ birth_date: birthDate, user_id: null, preferred_state: null }),
    });
    if (response.ok) {
      rememberVerified();
      return null;
    }
    const problem = (await response.json()) as {
      detail?: string;
      errors?: { birth_date?: string[] };
    };
    return problem.errors?.birth_date?.[0] ?? problem.detail ?? UNREACHABLE;
  } catch {
    return UNREACHABLE;
  }
}

const UNREACHABLE = "We could not check your date of birth. Please try again.";
