import { formatDate } from "../../lib/format";
import type { AdminOrder, ComplianceFacts } from "../../lib/types";

export function CompliancePanel({ order: { compliance } }: { order: AdminOrder }) {
  const { decided_on, state, rules } = compliance;
  return (
    <section className="panel" aria-labelledby="compliance">
      <h2 id="compliance">Compliance</h2>
      {proofsOf(compliance).map((proof) => (
        <p key={proof}>{proof}</p>
      ))}
      {decided_on && (
        <p>{`Rules as of ${formatDate(decided_on)}${state ? ` for ${state}` : ""}:`}</p>
      )}
      <ul className="order-some">
        {rules.map((rule) => (
          <li key={rule.class}>
            {rule.class.replaceAll("_", " ")}
            <small>{rule.source}</small>
          </li>
        ))}
      </ul>
    </section>
  );
}

/** How the buyer’s age was checked, a sentence for each check. */
function proofsOf({ age_proved_on, age_method, id_checked_on }: ComplianceFacts): string[] {
  const proofs: string[] = [];
  if (age_proved_on) {
    proofs.push(`Age 21+ ${age_method ?? "proved"} on ${formatDate(age_proved_on)}`);
  }
  if (id_checked_on) proofs.push(`ID (21+) checked on ${formatDate(id_checked_on)}`);
  if (proofs.length > 0) return proofs;
  return [age_method === "id_at_pickup" ? "ID (21+) not checked yet" : "No proof of age on file"];
}
