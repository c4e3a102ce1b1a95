//! Enums stored as text in columns and JSON.

/// Defines an enum with the text that is stored for each value.
#[macro_export]
macro_rules! stored {
    ($(#[$meta:meta])* $name:ident { $($(#[$value_meta:meta])* $value:ident = $text:tt),* $(,)? }) => {
        $(#[$meta])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, serde::Serialize, serde::Deserialize, utoipa::ToSchema)]
        pub enum $name { $($(#[$value_meta])* #[serde(rename = $text)] $value),* }

        impl $name {
            pub const ALL: &'static [Self] = &[$(Self::$value),*];

            pub fn text(self) -> &'static str {
                match self { $(Self::$value => $text),* }
            }
        }

        impl TryFrom<String> for $name {
            type Error = String;

            fn try_from(text: String) -> Result<Self, Self::Error> {
                text.parse()
            }
        }

        impl std::str::FromStr for $name {
            type Err = String;

            fn from_str(text: &str) -> Result<Self, Self::Err> {
                Self::ALL.iter().copied().find(|value| value.text() == text).ok_or_else(|| format!("'{text}' is no {}", stringify!($name)))
            }
        }
    };
}
