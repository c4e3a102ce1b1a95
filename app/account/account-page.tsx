import { type ReactNode, useEffect } from "react";
import { track } from "../lib/track";
import type { AccountPage as Props } from "../lib/types";
import { Addresses } from "./addresses";
import { Orders } from "./orders";
import { Privacy } from "./privacy";
import { Preferences, Profile } from "./profile";
import { Sessions } from "./sessions";

export default function AccountPage(props: Props) {
  const { me } = props;
  useEffect(() => track("profile_view", { page: "/account" }), []);
  return (
    // The key empties and closes the forms for another account: a page that stays may become another one's.
    <div key={me.sub} className="account-page wrap">
      <header className="account-head">
        <p className="label">Your account</p>
        <h1>{me.name || me.email || "Welcome"}</h1>
        <form method="post" action="/auth/logout">
          <button type="submit" className="link">
            Sign out
          </button>
        </form>
      </header>
      {/* First, because most visitors come for their orders. */}
      <Section id="orders" title="Orders">
        <Orders {...props} />
      </Section>
      <Section id="profile" title="Profile">
        <Profile {...props} />
      </Section>
      <Section id="addresses" title="Addresses">
        <Addresses {...props} />
      </Section>
      <Section id="preferences" title="Preferences">
        <Preferences {...props} />
      </Section>
      <Section id="sessions" title="Signed-in devices">
        <Sessions {...props} />
      </Section>
      <Section id="privacy" title="Your data">
        <Privacy {...props} />
      </Section>
    </div>
  );
}

interface SectionProps {
  id: string;
  title: string;
  children: ReactNode;
}

function Section({ id, title, children }: SectionProps) {
  return (
    <section className="account-section" aria-labelledby={id}>
      <h2 id={id}>{title}</h2>
      <div className="account-body">{children}</div>
    </section>
  );
}
