// Turns the server's OpenAPI document (standard input) into TypeScript (standard output).

import { text } from "node:stream/consumers";
import openapiTS, { astToString } from "openapi-typescript";

const document = JSON.parse(await text(process.stdin));
const ast = await openapiTS(document, {
  rootTypes: true,
  rootTypesNoSchemaPrefix: true,
  alphabetize: true,
});
process.stdout.write(
  `// Generated from the server's types by \`make generate\`. Do not edit.\n\n${astToString(ast)}`,
);
