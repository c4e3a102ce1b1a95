"use client";
export { ShopPage } from "../../shop-page";
