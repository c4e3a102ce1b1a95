import type { UserPage } from "../../lib/types";
import { act, useSave } from "../../lib/use-save";
import { Button } from "../../ui/button";
import { Field, Labelled } from "../../ui/field";
import { staffCall } from "../call";
import { Dialog } from "../parts/dialog";
import { ROLES } from "./role-tag";

interface Props {
  user: UserPage;
  open: boolean;
  onClose: () => void;
}

export function unblock({ id, version }: UserPage): void {
  const send = () =>
    staffCall(`/api/admin/users/${id}/unblock`, { method: "POST", body: { version } });
  void act(send, "The account may sign in again.");
}

export function BlockDialog(props: Props) {
  return (
    <Dialog title="Block this account?" {...props}>
      <Block {...props} />
    </Dialog>
  );
}

function Block({ user: { id, version }, onClose }: Props) {
  const { save, busy, about } = useSave(
    (data) =>
      staffCall(`/api/admin/users/${id}/block`, {
        method: "POST",
        body: { version, reason: data.get("reason") },
      }),
    { summary: "The account is blocked.", after: onClose },
  );
  return (
    <form className="admin-form" noValidate onSubmit={save}>
      <p>Its sessions end at once and it cannot sign in again. Orders that were placed stay.</p>
      <Field
        name="reason"
        label="Reason, for staff"
        maxLength={200}
        autoComplete="off"
        problem={about("reason")}
      />
      <div className="admin-dialog-acts">
        <button type="button" className="button button-quiet" onClick={onClose}>
          Keep it open
        </button>
        <button type="submit" className="button button-danger" disabled={busy}>
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

function Delete({ user: { id, email }, onClose }: Props) {
  const { save, busy, about } = useSave(
    (data) =>
      staffCall(`/api/admin/users/${id}`, {
        method: "DELETE",
        body: { confirm: data.get("confirm") },
      }),
    { summary: "The account is deleted.", after: onClose },
  );
  return (
    <form className="admin-form" noValidate onSubmit={save}>
      <p>
        Profile, addresses, cart, age declaration and sessions are erased and cannot be brought
        back. Records of sales stay as long as the law requires. The owner is told by mail.
      </p>
      <Field
        name="confirm"
        label={`To confirm, type ${email}`}
        type="email"
        autoComplete="off"
        problem={about("confirm")}
      />
      <div className="admin-dialog-acts">
        <button type="button" className="button button-quiet" onClick={onClose}>
          Keep it
        </button>
        <button type="submit" className="button button-danger" disabled={busy}>
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

function Role({ user: { id, version, assigned_role, listed_roles }, onClose }: Props) {
  const { save, busy, about } = useSave(
    (data) =>
      staffCall(`/api/admin/users/${id}/role`, {
        method: "PUT",
        body: { version, role: data.get("role") || null },
      }),
    { summary: "The role is changed.", after: onClose },
  );
  const listed = listed_roles.join(", ") || "none";
  return (
    <form className="admin-form" noValidate onSubmit={save}>
      <p>It counts from the next click on, on every device.</p>
      <Labelled label="Role" problem={about("role")}>
        {(control) => (
          <select {...control} className="input" name="role" defaultValue={assigned_role ?? ""}>
            <option value="">{`As the identity provider says (${listed})`}</option>
            {Object.entries(ROLES).map(([role, label]) => (
              <option key={role} value={role}>
                {label}
              </option>
            ))}
          </select>
        )}
      </Labelled>
      <div className="admin-dialog-acts">
        <button type="button" className="button button-quiet" onClick={onClose}>
          Cancel
        </button>
        <Button type="submit" disabled={busy}>
          Change role
        </Button>
      </div>
    </form>
  );
}
