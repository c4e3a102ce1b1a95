import { formatDate } from "../../lib/format";
import type { AdminOrder, ComplianceFacts } from "../../lib/types";

export function CompliancePanel({ order: { compliance } }: { order: AdminOrder }) {
  const { decided_on, state, rules } = compliance;
  return (
    <section className="panel" aria-labelledby="compliance">
      <h2 id="compliance">Compliance</h2>
      <p>{ageOf(compliance)}</p>
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

function ageOf({ age_proved_on, age_method }: ComplianceFacts): string {
  if (!age_proved_on) return "No proof of age on file";
  if (age_method === "id_at_pickup") return "ID (21+) checked at pickup";
  return `Age 21+ ${age_method ?? "proved"} on ${formatDate(age_proved_on)}`;
}
