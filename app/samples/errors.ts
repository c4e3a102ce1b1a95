import type { ErrorPage } from "../lib/types";

export const error: ErrorPage = {
  status: 404,
  message: "Page not found: /nowhere",
  request_id: null,
  confirm_href: null,
};
