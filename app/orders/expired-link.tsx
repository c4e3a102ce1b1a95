import { useShared } from "../lib/shared";

/** Shown for the link of an order long past, which the buyer can still see in their account. */
export function ExpiredLink({ number }: { number: string }) {
  const { company, user, sign_in_href } = useShared();
  const { email, phone } = company;
  return (
    <div className="order-page wrap">
      <div className="nothing">
        <h1>This link has expired</h1>
        <p className="lede">
          {`To protect the buyer, links to order ${number} stop working 90 days after its last update. Your account has all of your orders; for an order without an account, write to `}
          <a href={`mailto:${email}`}>{email}</a>
          {` or call ${phone}.`}
        </p>
        {user || !sign_in_href ? (
          <a className="button button-primary" href="/account">
            Go to your account
          </a>
        ) : (
          <a className="button button-primary" href={sign_in_href}>
            Sign in
          </a>
        )}
      </div>
    </div>
  );
}
