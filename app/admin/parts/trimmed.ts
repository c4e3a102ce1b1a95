import { text } from "../../lib/form";

/** The text in a field, without the space around it. */
export const trimmed = (form: FormData, name: string): string => text(form, name).trim();
