/** A text with a capital first letter, as in `Once per customer`. */
export function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
