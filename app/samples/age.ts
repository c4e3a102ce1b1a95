import type { AgeRefusedPage } from "../lib/types";

export const refused: AgeRefusedPage = {
  error: "Please enter your date of birth.",
  return_to: "/",
};
