import { type ComponentProps, useState } from "react";
import { useShared } from "../lib/shared";
import type { AccountAct, AccountPage, RefusedForm } from "../lib/types";
import { runAction } from "../lib/use-save";

/** A form of the account page; its button names the action. It works without scripts, and an early submit is replayed after hydration. */
export function AccountForm({ children, ...props }: ComponentProps<"form">) {
  const { user } = useShared();
  return (
    <form method="post" action="/account" {...props} noValidate data-replay>
      {/* Another tab may have signed in to another account since. */}
      <input type="hidden" name="user_id" value={user?.sub} />
      {children}
    </form>
  );
}

interface ActionFormProps extends ComponentProps<"button"> {
  act: AccountAct;
  /** The part of the page that has the form, and says if it is refused: without scripts, the answer is shown from there. */
  part: string;
  /** What it is about, for browsers without scripts. */
  about?: string;
  send: () => Promise<unknown>;
  /** Shown when it is done. */
  summary: string;
  /** Shown when there was nothing left to do it to. */
  gone?: string;
}

/** A form that is only a button. While its request is running, another click does nothing. */
export function ActionForm(props: ActionFormProps) {
  const { act, part, about, send, summary, gone, ...button } = props;
  const [busy, setBusy] = useState(false);
  return (
    <AccountForm
      action={`/account#${part}`}
      onSubmit={(event) => {
        event.preventDefault();
        setBusy(true);
        void runAction(send, summary, gone).finally(() => setBusy(false));
      }}
    >
      {about && <input type="hidden" name="id" value={about} />}
      <button {...button} type="submit" name="do" value={act} aria-disabled={busy} />
    </AccountForm>
  );
}

interface OpenButtonProps extends ComponentProps<"button"> {
  act: AccountAct;
  onOpen: () => void;
}

/** A button that shows a form; without scripts it loads the page with the form open. */
export function OpenButton({ act, onOpen, ...button }: OpenButtonProps) {
  return (
    <form
      method="get"
      action="/account"
      data-replay
      onSubmit={(event) => {
        event.preventDefault();
        onOpen();
      }}
    >
      <button {...button} type="submit" name="open" value={act} />
    </form>
  );
}

interface CloseLinkProps {
  /** The part of the page that has the form. */
  part: string;
  onClose: () => void;
  children: string;
}

/**
 * Closes a form that an `OpenButton` has opened. Browsers without scripts load the page anew: a refused form is at its address
 * without the question mark, to which a link would only scroll.
 */
export function CloseLink({ part, onClose, children }: CloseLinkProps) {
  return (
    <a
      className="link"
      href={`/account?#${part}`}
      onClick={(event) => {
        event.preventDefault();
        onClose();
      }}
    >
      {children}
    </a>
  );
}

/** The server's refusal of this form, if there is one. */
export function refusalOf({ refused }: AccountPage, act: AccountAct): RefusedForm | null {
  return refused?.act === act ? refused : null;
}

/** The first field with an error. */
export function firstInvalid(refused: RefusedForm | null, fields: string[]): string | undefined {
  return fields.find((field) => refused?.errors[field]);
}

/** Error messages of a form that has no visible fields. */
export function FormErrors({ messages }: { messages: string[] | undefined }) {
  return messages?.map((message) => (
    <p key={message} className="field-error" role="alert">
      {message}
    </p>
  ));
}
