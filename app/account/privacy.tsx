import { useRef, useState } from "react";
import { call } from "../lib/api";
import { text } from "../lib/form";
import type { AccountPage } from "../lib/types";
import { useSave } from "../lib/use-save";
import { Field } from "../ui/field";
import { FormProblem } from "../ui/form-problem";
import { AccountForm, CloseLink, OpenButton, refusalOf } from "./form";

export function Privacy(props: AccountPage) {
  const { email } = props.me;
  const dialog = useRef<HTMLDialogElement>(null);
  const [closed, setClosed] = useState(0);

  function ask(): void {
    // The server may have rendered it open, which is not modal.
    dialog.current?.close();
    dialog.current?.showModal();
  }

  return (
    <>
      <p>
        Download everything we store about you, or delete your account. We keep sales records as
        long as the law requires, without your name. An order that isn’t finished keeps your name
        and address until it is; one that is on its way, until it arrives, but no more than 60 days
        after it ships. Records of deliveries that the law asks for keep your name and address until
        the end of the fourth full calendar year after delivery.
      </p>
      <div className="sheet-acts">
        <a className="button button-quiet" href="/api/me/export" download>
          Download my data
        </a>
        <OpenButton act="delete_account" className="link" onOpen={ask}>
          Delete my account
        </OpenButton>
      </div>
      <dialog
        ref={dialog}
        className="sheet"
        open={props.open === "delete_account"}
        aria-labelledby="delete-heading"
        onClose={({ currentTarget }) => {
          if (!currentTarget.open) setClosed((count) => count + 1);
        }}
      >
        <h2 id="delete-heading">Delete your account?</h2>
        <p>
          Your profile, addresses, and sign-ins are erased right away and can’t be restored. To
          confirm, type {email || "delete"}.
        </p>
        {/* Opened again, it is empty and without errors. */}
        <DeleteForm
          key={closed}
          {...props}
          refused={closed ? null : props.refused}
          onClose={() => dialog.current?.close()}
        />
      </dialog>
    </>
  );
}

function DeleteForm({ onClose, ...props }: AccountPage & { onClose: () => void }) {
  const { open } = props;
  const { email } = props.me;
  const refused = refusalOf(props, "delete_account");
  const { save, busy, problem, about } = useSave(
    async (data) => {
      const body = { confirm: text(data, "confirm"), user_id: text(data, "user_id") };
      const gone = await call("/api/me", { method: "DELETE", body });
      // The page of a deleted account has nothing to show: what follows a change is left out. Going back to it would sign in to
      // a new account if the provider shows no prompt.
      location.replace(gone?.sign_out_url ?? "/");
      await new Promise<never>(() => {});
    },
    { summary: "" },
    refused?.errors,
  );

  return (
    <AccountForm onSubmit={save}>
      <Field
        name="confirm"
        label={email ? "Email" : "Confirmation"}
        type={email ? "email" : "text"}
        autoComplete="off"
        defaultValue={refused?.typed.confirm}
        autoFocus={open === "delete_account"}
        problem={about("confirm")}
      />
      <FormProblem problem={problem} />
      <div className="sheet-acts">
        <button
          type="submit"
          name="do"
          value="delete_account"
          className="button button-danger"
          aria-disabled={busy}
        >
          Delete account
        </button>
        <CloseLink part="privacy" onClose={onClose}>
          Keep account
        </CloseLink>
      </div>
    </AccountForm>
  );
}
