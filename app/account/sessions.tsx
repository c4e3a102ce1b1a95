import { call } from "../lib/api";
import { formatDate } from "../lib/format";
import type { AccountPage } from "../lib/types";
import { ActionForm, FormErrors, refusalOf } from "./form";

export function Sessions(props: AccountPage) {
  const { me, sessions } = props;
  return (
    <>
      <ul className="account-rows">
        {sessions.map(({ id, device, network, seen_on, is_current }) => (
          <li key={id}>
            <div>
              <b>{device}</b>
              <span>
                {is_current ? "This device" : `Last seen ${formatDate(seen_on)}`}, network {network}
              </span>
            </div>
            {!is_current && (
              <ActionForm
                act="end_session"
                part="sessions"
                about={id}
                send={() => call(`/api/me/sessions/${id}`, { method: "DELETE" })}
                summary="Device signed out."
                gone="This device isn’t signed in anymore."
                className="link"
                aria-label={`Sign out ${device}, last seen ${formatDate(seen_on)}`}
              >
                Sign out
              </ActionForm>
            )}
          </li>
        ))}
      </ul>
      <FormErrors messages={refusalOf(props, "end_session")?.errors.id} />
      {sessions.length > 1 && (
        <ActionForm
          act="end_other_sessions"
          part="sessions"
          send={() =>
            call(`/api/me/sessions?user_id=${encodeURIComponent(me.sub)}`, { method: "DELETE" })
          }
          summary="All other devices signed out."
          className="button button-quiet"
        >
          Sign out all other devices
        </ActionForm>
      )}
    </>
  );
}
