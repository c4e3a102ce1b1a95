import { useRef } from "react";
import { call } from "../lib/api";
import { useSave } from "../lib/use-save";
import { Field } from "../ui/field";

export function Privacy({ email }: { email: string }) {
  const dialog = useRef<HTMLDialogElement>(null);
  const { save, busy, about } = useSave(
    async (data) => {
      await call("/api/me", { method: "DELETE", body: { confirm: data.get("confirm") } });
      // The page of an account that is gone has nothing to show.
      location.assign("/");
    },
    { summary: "Your account is deleted." },
  );
  return (
    <>
      <p>
        A file with all that the shop keeps of you, or an end to your account. Records of sales stay
        as long as the law requires, without your name.
      </p>
      <div className="sheet-acts">
        <a className="button button-quiet" href="/api/me/export" download>
          Download my data
        </a>
        <button type="button" className="link" onClick={() => dialog.current?.showModal()}>
          Delete my account
        </button>
      </div>
      <dialog ref={dialog} className="sheet" aria-labelledby="delete-heading">
        <h2 id="delete-heading">Delete your account?</h2>
        <p>
          Your profile, addresses and sign-ins are erased at once and cannot be brought back. To
          confirm, type {email}.
        </p>
        <form noValidate onSubmit={save}>
          <Field
            name="confirm"
            label="Mail address"
            type="email"
            autoComplete="off"
            problem={about("confirm")}
          />
          <div className="sheet-acts">
            <button type="submit" className="button button-danger" disabled={busy}>
              Delete account
            </button>
            <button type="button" className="link" onClick={() => dialog.current?.close()}>
              Keep it
            </button>
          </div>
        </form>
      </dialog>
    </>
  );
}
