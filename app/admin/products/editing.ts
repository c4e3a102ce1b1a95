import type { ProductContent } from "../../lib/types";

/** Props that the sections of the editor share. */
export interface Editing {
  content: ProductContent;
  /** Changes the given fields. */
  set: (fields: Partial<ProductContent>) => void;
  /** The server's error message about a field. */
  about: (field: string) => string | undefined;
  readOnly: boolean;
}
