import { choice, text } from "../../lib/form";
import { refresh } from "../../lib/navigation";
import type { UserPage } from "../../lib/types";
import { runAction, useSave } from "../../lib/use-save";
import { Button } from "../../ui/button";
import { Field, Labeled } from "../../ui/field";
import { FormProblem } from "../../ui/form-problem";
import { staffCall } from "../call";
import { useBaseVersion } from "../parts/base-version";
import { Dialog } from "../parts/dialog";
import { useIsMailOn } from "../parts/mail";
import { ROLES } from "./role-tag";
import { sendChange } from "./send-change";

interface Props {
  user: UserPage;
  open: boolean;
  onClose: () => void;
}

export function unblock({ id, version }: UserPage): Promise<void> {
  const send = () =>
    staffCall(`/api/admin/users/${id}/unblock`, { method: "POST", body: { version } });
  return runAction(() => sendChange(send), "Account unblocked.");
}

/** The version of the account when its dialog was opened, and a function that sends a change of it. */
function useAccountChange({ version: latest }: UserPage) {
  // With the version as the content, a refresh alone never moves it.
  const [version, moveToLatest] = useBaseVersion(latest, latest);
  const change = (send: () => Promise<unknown>) =>
    sendChange(send, () => refresh().then(moveToLatest));
  return { version, change };
}

export function BlockDialog(props: Props) {
  return (
    <Dialog title="Block this account?" {...props}>
      <Block {...props} />
    </Dialog>
  );
}

function Block({ user, onClose }: Props) {
  const { version, change } = useAccountChange(user);
  const { save, busy, problem, about } = useSave(
    (data) => {
      const body = { version, reason: text(data, "reason") };
      return change(() => staffCall(`/api/admin/users/${user.id}/block`, { method: "POST", body }));
    },
    { summary: "Account blocked.", after: onClose },
  );
  return (
    <form method="post" className="admin-form" noValidate onSubmit={save}>
      <p>
        All sessions end right away, and the customer can’t sign in. Existing orders aren’t
        affected.
      </p>
      <Field
        name="reason"
        label="Reason (staff only)"
        maxLength={200}
        autoComplete="off"
        problem={about("reason")}
      />
      <FormProblem problem={problem} />
      <div className="admin-dialog-acts">
        <button type="button" className="button button-quiet" onClick={onClose}>
          Don’t block
        </button>
        <button type="submit" className="button button-danger" aria-disabled={busy}>
          Block account
        </button>
      </div>
    </form>
  );
}

export function DeleteDialog(props: Props) {
  return (
    <Dialog title="Delete this account?" {...props}>
      <Delete {...props} />
    </Dialog>
  );
}

function Delete({ user: { id, email, is_email_verified }, onClose }: Props) {
  const isMailOn = useIsMailOn();
  const { save, busy, problem, about } = useSave(
    (data) =>
      staffCall(`/api/admin/users/${id}`, {
        method: "DELETE",
        body: { confirm: text(data, "confirm") },
      }),
    { summary: "Account deleted.", after: onClose },
  );
  return (
    <form method="post" className="admin-form" noValidate onSubmit={save}>
      <p>
        The profile, addresses, cart, age verification, and sessions are erased and can’t be
        restored. Sales records are kept as long as the law requires.{" "}
        {!isMailOn
          ? "The customer isn’t notified, because email is off."
          : is_email_verified
            ? "The customer is notified by email."
            : "The customer isn’t notified, because they have no verified email."}
      </p>
      <Field
        name="confirm"
        label={`To confirm, type ${email || "delete"}`}
        type={email ? "email" : "text"}
        autoComplete="off"
        problem={about("confirm")}
      />
      <FormProblem problem={problem} />
      <div className="admin-dialog-acts">
        <button type="button" className="button button-quiet" onClick={onClose}>
          Keep account
        </button>
        <button type="submit" className="button button-danger" aria-disabled={busy}>
          Delete account
        </button>
      </div>
    </form>
  );
}

export function RoleDialog(props: Props) {
  return (
    <Dialog title="Change role" {...props}>
      <Role {...props} />
    </Dialog>
  );
}

const ASSIGNABLE = ["customer", "staff", "admin", "super_admin"] as const;

function Role({ user, onClose }: Props) {
  const { id, assigned_role, listed_roles } = user;
  const { version, change } = useAccountChange(user);
  const { save, busy, problem, about } = useSave(
    (data) => {
      const role = data.get("role") ? choice(data, "role", ASSIGNABLE) : null;
      const body = { version, role };
      return change(() => staffCall(`/api/admin/users/${id}/role`, { method: "PUT", body }));
    },
    { summary: "Role changed.", after: onClose },
  );
  const listed = listed_roles.join(", ") || "none";
  return (
    <form method="post" className="admin-form" noValidate onSubmit={save}>
      <p>Takes effect on their next click, on every device.</p>
      <Labeled label="Role" problem={about("role")}>
        {(control) => (
          <select {...control} className="input" name="role" defaultValue={assigned_role ?? ""}>
            <option value="">{`From the identity provider (${listed})`}</option>
            {ASSIGNABLE.map((role) => (
              <option key={role} value={role}>
                {ROLES[role]}
              </option>
            ))}
          </select>
        )}
      </Labeled>
      <FormProblem problem={problem} />
      <div className="admin-dialog-acts">
        <button type="button" className="button button-quiet" onClick={onClose}>
          Cancel
        </button>
        <Button type="submit" aria-disabled={busy}>
          Change role
        </Button>
      </div>
    </form>
  );
}
