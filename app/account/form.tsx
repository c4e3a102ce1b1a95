import type { ComponentProps } from "react";
import type { AccountAct, AccountPage, RefusedForm } from "../lib/types";

/** A form of the account: its button says what to do. Without scripts the server does it; with them what is sent early waits for them. */
export function AccountForm(props: ComponentProps<"form">) {
  return <form method="post" {...props} action="/account" noValidate data-replay />;
}

interface OpenerProps extends ComponentProps<"button"> {
  act: AccountAct;
  onOpen: () => void;
}

/** A button that shows a form; without scripts it leads to the page that has it open. */
export function Opener({ act, onOpen, ...button }: OpenerProps) {
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

interface CloserProps {
  /** The page that has it closed, for where no scripts run. */
  href: string;
  onClose: () => void;
  children: string;
}

/** Closes a form that an `Opener` has opened. */
export function Closer({ href, onClose, children }: CloserProps) {
  return (
    <a
      className="link"
      href={href}
      onClick={(event) => {
        event.preventDefault();
        onClose();
      }}
    >
      {children}
    </a>
  );
}

/** What the server has refused of this form. */
export function refusedOf({ refused }: AccountPage, act: AccountAct): RefusedForm | null {
  return refused?.act === act ? refused : null;
}

/** Which of a form's fields to go to first. */
export function firstWrong(refused: RefusedForm | null, fields: string[]): string | undefined {
  return fields.find((field) => refused?.errors[field]);
}

/** What stands in the way of a form that nothing is typed into. */
export function Obstacles({ messages }: { messages: string[] | undefined }) {
  return messages?.map((message) => (
    <p key={message} className="field-error" role="alert">
      {message}
    </p>
  ));
}
