export type * from "../generated/api";
