import type { Address } from "../../lib/types";

type Place = Pick<Address, "company" | "line1" | "line2" | "city" | "state" | "postal_code">;

/** The lines of an address, without the name. */
export function AddressLines({ address }: { address: Place }) {
  const { company, line1, line2, city, state, postal_code } = address;
  return [company, line1, line2, `${city}, ${state} ${postal_code}`]
    .filter(Boolean)
    .map((line) => <span key={line}>{line}</span>);
}
