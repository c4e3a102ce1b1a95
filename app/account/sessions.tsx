import { call } from "../lib/api";
import { formatDate } from "../lib/format";
import type { AccountPage } from "../lib/types";
import { runAction } from "../lib/use-save";
import { AccountForm, FormErrors, refusalOf } from "./form";

export function Sessions(props: AccountPage) {
  const { sessions } = props;
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
              <AccountForm
                onSubmit={(event) => {
                  event.preventDefault();
                  void runAction(
                    () => call(`/api/me/sessions/${id}`, { method: "DELETE" }),
                    "Device signed out.",
                  );
                }}
              >
                <input type="hidden" name="id" value={id} />
                <button
                  type="submit"
                  name="do"
                  value="end_session"
                  className="link"
                  aria-label={`Sign out ${device}, last seen ${formatDate(seen_on)}`}
                >
                  Sign out
                </button>
              </AccountForm>
            )}
          </li>
        ))}
      </ul>
      <FormErrors messages={refusalOf(props, "end_session")?.errors.id} />
      {sessions.length > 1 && (
        <AccountForm
          onSubmit={(event) => {
            event.preventDefault();
            void runAction(
              () => call("/api/me/sessions", { method: "DELETE" }),
              "All other devices signed out.",
            );
          }}
        >
          <button
            type="submit"
            name="do"
            value="end_other_sessions"
            className="button button-quiet"
          >
            Sign out all other devices
          </button>
        </AccountForm>
      )}
    </>
  );
}
