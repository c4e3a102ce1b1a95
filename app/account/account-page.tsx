import type { ReactNode } from "react";
import type { AccountPage as Props } from "../lib/types";
import { Addresses } from "./addresses";
import { Orders } from "./orders";
import { Privacy } from "./privacy";
import { Preferences, Profile } from "./profile";
import { Sessions } from "./sessions";

export default function AccountPage({ me, sessions, orders }: Props) {
  return (
    <div className="account-page wrap">
      <header className="account-head">
        <p className="label">Your account</p>
        <h1>{me.name || me.email}</h1>
        <form method="post" action="/auth/logout">
          <button type="submit" className="link">
            Sign out
          </button>
        </form>
      </header>
      {/* They are what most people come for. */}
      <Section id="orders" title="Orders">
        <Orders orders={orders} />
      </Section>
      <Section id="profile" title="Profile">
        <Profile key={me.name + me.phone} me={me} />
      </Section>
      <Section id="addresses" title="Addresses">
        <Addresses me={me} />
      </Section>
      <Section id="preferences" title="Preferences">
        <Preferences key={JSON.stringify(me.preferences)} me={me} />
      </Section>
      <Section id="sessions" title="Signed-in devices">
        <Sessions sessions={sessions} />
      </Section>
      <Section id="privacy" title="Your data">
        <Privacy email={me.email} />
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
