import { type FormEvent, useEffect, useRef, useState } from "react";
import { createRoot } from "react-dom/client";
import { birthDateProblem, latestToday } from "../lib/age";
import { rememberSignup } from "../lib/signup";
import { Button } from "../ui/button";
import { Field } from "../ui/field";
import { StateField } from "../ui/state-field";

/** Asks for the birth date and state, and stores them until the sign-in that follows. Resolves with false if canceled. */
export function askForSignup(): Promise<boolean> {
  const previousFocus = document.activeElement;
  const container = document.createElement("div");
  document.body.append(container);
  const root = createRoot(container);
  return new Promise((resolve) => {
    function done(agreed: boolean): void {
      root.unmount();
      container.remove();
      // A dialog that is removed without being closed does not return the focus.
      if (previousFocus instanceof HTMLElement) previousFocus.focus();
      resolve(agreed);
    }
    root.render(<SignUpDialog onDone={done} />);
  });
}

function SignUpDialog({ onDone }: { onDone: (agreed: boolean) => void }) {
  const dialog = useRef<HTMLDialogElement>(null);
  const [problems, setProblems] = useState<Record<string, string>>({});
  useEffect(() => dialog.current?.showModal(), []);

  function submit(event: FormEvent<HTMLFormElement>): void {
    event.preventDefault();
    const data = new FormData(event.currentTarget);
    const birth_date = String(data.get("birth_date"));
    const preferred_state = String(data.get("preferred_state"));
    const found: Record<string, string> = {};
    const birth = birthDateProblem(birth_date, latestToday());
    if (birth) found.birth_date = birth;
    if (!preferred_state) found.preferred_state = "Choose a state.";
    setProblems(found);
    const [first] = Object.keys(found);
    if (first) {
      const field = event.currentTarget.elements.namedItem(first);
      if (field instanceof HTMLElement) field.focus();
      return;
    }
    rememberSignup({ birth_date, preferred_state });
    onDone(true);
  }

  return (
    <dialog
      ref={dialog}
      className="sheet"
      aria-labelledby="sign-up-heading"
      onCancel={() => onDone(false)}
    >
      <h2 id="sign-up-heading">Create an account</h2>
      <p>
        You must be 21 or older. We check your date of birth once you’ve signed up. Until then it
        stays in this browser, and then it’s deleted.
      </p>
      <form method="post" noValidate onSubmit={submit}>
        <Field
          name="birth_date"
          label="Date of birth"
          type="date"
          autoComplete="bday"
          max={latestToday()}
          problem={problems.birth_date}
        />
        <StateField
          name="preferred_state"
          label="State you order to"
          problem={problems.preferred_state}
        />
        <div className="sheet-acts">
          <Button type="submit">Continue</Button>
          <button type="button" className="link" onClick={() => onDone(false)}>
            Cancel
          </button>
        </div>
      </form>
    </dialog>
  );
}
