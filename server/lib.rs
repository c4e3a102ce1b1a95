//! The shop. One binary answers HTTP, renders React pages in its own V8 isolates and keeps its data.
//!
//! The way of a page: [`router`] → a noun's `pages` → its `service` → its `store` → typed props → [`web::serve`] →
//! `ssr-runtime` → HTML.
//!
//! - [`router`]: every address; [`app`]: what handlers reach; [`config`]; [`error`]: what can go wrong
//! - [`db`]: SQLite and PostgreSQL; [`clock`], [`ids`], [`money`]
//! - [`web`]: page envelope, rendering, cache, assets, headers
//! - [`integrations`]: Square
//! - nouns: [`home`], [`catalog`], [`cart`], [`legal`], [`age`], [`media`], [`payments`], [`identity`], [`customers`]
//! - [`demo`]: a catalogue and pictures to try the shop with

pub mod age;
pub mod app;
pub mod cart;
pub mod catalog;
pub mod clock;
pub mod config;
pub mod customers;
pub mod db;
pub mod demo;
pub mod error;
pub mod home;
pub mod identity;
pub mod ids;
pub mod integrations;
pub mod legal;
pub mod media;
pub mod money;
pub mod openapi;
pub mod payments;
pub mod router;
pub mod serve;
pub mod web;
