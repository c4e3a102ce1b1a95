import { useEffect, useRef } from "react";

interface Props {
  email: string;
  /** Returns to the form; until the code for it is there, the link leads to the form's page. */
  onEdit: (() => void) | undefined;
}

/** Shown until the order is confirmed through the link in the email; until then it is not placed. */
export function CheckEmail({ email, onEdit }: Props) {
  const heading = useRef<HTMLHeadingElement>(null);
  // It replaces the whole form, so scroll to the top.
  useEffect(() => {
    scrollTo({ top: 0, behavior: "instant" });
    heading.current?.focus({ preventScroll: true });
  }, []);
  return (
    <section className="nothing" aria-labelledby="mailed">
      <h2 id="mailed" ref={heading} tabIndex={-1}>
        Check your email
      </h2>
      <p className="lede">
        Your order isn’t placed yet. We’ve sent a link to <b>{email}</b>. Open it to confirm that
        you want these items.
      </p>
      <p>
        We’ll hold them for two hours. Didn’t get the email? Check your spam folder, or go back and
        check the address.
      </p>
      <a
        className="button button-quiet"
        href="/checkout"
        onClick={
          onEdit &&
          ((event) => {
            event.preventDefault();
            onEdit();
          })
        }
      >
        Change my order
      </a>
    </section>
  );
}
