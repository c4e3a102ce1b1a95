import { useEffect, useRef } from "react";

interface Props {
  email: string;
  /** Back to the form. */
  onEdit: () => void;
}

/** Nothing is ordered until the link in the letter was followed. */
export function Mailed({ email, onEdit }: Props) {
  const heading = useRef<HTMLHeadingElement>(null);
  // What was above it is gone: it begins at the top.
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
        Your order is not placed yet. We have sent a link to <b>{email}</b>: open it to confirm that
        you want to pick these items up and pay in our store.
      </p>
      <p>
        We hold them for two hours. This page goes on by itself once you have confirmed; you may
        also close it. Nothing came? Look in your spam folder, or go back and check the address.
      </p>
      <button type="button" className="button button-quiet" onClick={onEdit}>
        Change my order
      </button>
    </section>
  );
}
