//! Thousands of products of an imaginary tobacco wholesaler: generated from real kinds, materials, colors and sentences, always the
//! same, with spelling mistakes in a few descriptions.

use uuid::Uuid;

use crate::catalog::model::Availability;
use crate::search::SearchDocument;

/// A kind of product: title nouns, category (name, slug, parent's slug), materials, price range in dollars, SKU.
struct Kind {
    nouns: &'static [&'static str],
    category: (&'static str, &'static str, &'static str),
    materials: &'static [&'static str],
    dollars: (u64, u64),
    sku: &'static str,
}

const WOODS: &[&str] = &["Walnut", "Cherry", "Olive wood", "Spanish cedar", "Rosewood", "Oak", "Maple", "Ebony"];
const METALS: &[&str] = &["Brass", "Stainless steel", "Gunmetal", "Pewter", "Sterling silver", "Aluminum", "Copper"];
const HIDES: &[&str] = &["Leather", "Suede", "Waxed cotton", "Canvas"];

#[rustfmt::skip]
const KINDS: &[Kind] = &[
    Kind { nouns: &["Bent Briar Pipe", "Straight Briar Pipe", "Bulldog Briar Pipe", "Rhodesian Pipe", "Billiard Pipe"], category: ("Briar pipes", "briar-pipes", "pipes"), materials: &["Briar"], dollars: (40, 600), sku: "BRP" },
    Kind { nouns: &["Meerschaum Pipe", "Calabash Pipe", "Carved Meerschaum Pipe"], category: ("Meerschaum & calabash", "meerschaum-pipes", "pipes"), materials: &["Meerschaum", "Gourd"], dollars: (90, 900), sku: "MEP" },
    Kind { nouns: &["Corn Cob Pipe", "Cherry Wood Pipe", "Olive Wood Pipe"], category: ("Cob & fruitwood pipes", "cob-and-wood-pipes", "pipes"), materials: &["Corn cob", "Cherry", "Olive wood"], dollars: (8, 60), sku: "COB" },
    Kind { nouns: &["Churchwarden Pipe", "Churchwarden"], category: ("Churchwardens", "churchwardens", "pipes"), materials: &["Briar", "Cherry"], dollars: (45, 200), sku: "CHW" },
    Kind { nouns: &["Pipe Tamper", "Folding Tamper", "Three-Way Pipe Tool", "Reamer", "Pipe Knife"], category: ("Tampers & tools", "tampers-and-tools", "pipe-care"), materials: METALS, dollars: (6, 80), sku: "TMP" },
    Kind { nouns: &["Pipe Cleaners", "Bristle Pipe Cleaners", "Pipe Brush", "9 mm Charcoal Filters"], category: ("Cleaners & filters", "cleaners-and-filters", "pipe-care"), materials: &["Cotton", "Charcoal", "Nylon"], dollars: (3, 20), sku: "CLN" },
    Kind { nouns: &["Pipe Rack", "Pipe Stand", "Folding Pipe Stand", "Pipe Rest"], category: ("Stands & racks", "stands-and-racks", "pipe-care"), materials: WOODS, dollars: (15, 220), sku: "RCK" },
    Kind { nouns: &["Tobacco Pouch", "Roll-Up Pouch", "Pipe Bag", "Two-Pipe Bag"], category: ("Pouches & rolls", "pouches-and-rolls", "pipe-care"), materials: HIDES, dollars: (20, 150), sku: "PCH" },
    Kind { nouns: &["Cigar Cutter", "Double-Blade Cutter", "V Cutter", "Cigar Scissors", "Cigar Punch"], category: ("Cutters & punches", "cutters-and-punches", "cigar"), materials: METALS, dollars: (12, 240), sku: "CUT" },
    Kind { nouns: &["Desktop Humidor", "Travel Humidor", "Cabinet Humidor", "Humidor"], category: ("Humidors", "humidors", "cigar"), materials: WOODS, dollars: (60, 1_500), sku: "HUM" },
    Kind { nouns: &["Hygrometer", "Digital Hygrometer", "Humidity Packs", "Humidifier"], category: ("Hygrometers & humidity", "humidity", "cigar"), materials: &["Brass", "Stainless steel", "Paper"], dollars: (8, 90), sku: "HYG" },
    Kind { nouns: &["Cigar Case", "Two-Finger Cigar Case", "Cigar Tube", "Five-Finger Cigar Case"], category: ("Cigar cases & tubes", "cigar-cases", "cigar"), materials: &["Leather", "Suede", "Stainless steel", "Aluminum"], dollars: (18, 260), sku: "CAS" },
    Kind { nouns: &["Ashtray", "Ash Tray", "Cigar Ashtray", "Pipe Ashtray"], category: ("Ashtrays", "ashtrays", "cigar"), materials: &["Ceramic", "Glass", "Cast iron", "Walnut", "Brass"], dollars: (10, 180), sku: "ASH" },
    Kind { nouns: &["Flip Lighter", "Table Lighter", "Soft Flame Lighter", "Petrol Lighter"], category: ("Soft flame & table lighters", "soft-flame-lighters", "fire"), materials: METALS, dollars: (15, 400), sku: "SFL" },
    Kind { nouns: &["Torch Lighter", "Triple Torch Lighter", "Single Jet Lighter"], category: ("Torch lighters", "torch-lighters", "fire"), materials: METALS, dollars: (20, 220), sku: "TRL" },
    Kind { nouns: &["Pipe Lighter", "Angled Pipe Lighter"], category: ("Pipe lighters", "pipe-lighters", "fire"), materials: METALS, dollars: (20, 300), sku: "PLT" },
    Kind { nouns: &["Butane Refill", "Lighter Fluid", "Flints", "Spare Wick"], category: ("Fuel & flints", "fuel-and-flints", "fire"), materials: &["Steel", "Cotton"], dollars: (3, 25), sku: "FUE" },
    Kind { nouns: &["Long Matches", "Cedar Spills", "Safety Matches", "Match Striker"], category: ("Matches & spills", "matches-and-spills", "fire"), materials: &["Aspen", "Spanish cedar", "Glass"], dollars: (3, 45), sku: "MAT" },
    Kind { nouns: &["Rolling Papers", "King Size Papers", "Hemp Papers"], category: ("Rolling papers", "papers", "rolling"), materials: &["Hemp", "Rice", "Flax"], dollars: (2, 12), sku: "PAP" },
    Kind { nouns: &["Rolling Machine", "Rolling Tray", "Filter Tips"], category: ("Rolling tools", "rolling-tools", "rolling"), materials: &["Stainless steel", "Bamboo", "Paper"], dollars: (3, 60), sku: "ROL" },
    Kind { nouns: &["Cigarette Case", "Cigarette Holder"], category: ("Cigarette cases", "cigarette-cases", "rolling"), materials: METALS, dollars: (15, 180), sku: "CGC" },
    Kind { nouns: &["Tobacco Jar", "Humidor Jar", "Tobacco Tin"], category: ("Jars & tins", "jars-and-tins", "house"), materials: &["Ceramic", "Glass", "Pewter", "Tinplate"], dollars: (14, 160), sku: "JAR" },
    Kind { nouns: &["Smoker's Candle", "Odor Eliminating Candle", "Room Spray"], category: ("Candles & air", "candles-and-air", "house"), materials: &["Soy wax", "Beeswax"], dollars: (9, 48), sku: "CND" },
    Kind { nouns: &["Smoking Jacket", "Smoking Cap", "Slippers"], category: ("Clothing", "clothing", "house"), materials: &["Velvet", "Silk", "Wool"], dollars: (30, 500), sku: "CLO" },
];

const COLORS: &[&str] = &[
    "Black",
    "Brown",
    "Dark brown",
    "Tan",
    "Oxblood",
    "Navy",
    "Green",
    "Gray",
    "Silver",
    "Gold",
    "Amber",
    "Ivory",
    "Red",
];
const STYLES: &[&str] = &[
    "Small",
    "Large",
    "Slim",
    "Classic",
    "Rustic",
    "Smooth",
    "Sandblasted",
    "Polished",
    "Brushed",
    "Engraved",
    "Hand-Carved",
    "Vintage",
    "Modern",
    "Compact",
    "Deluxe",
    "Heritage",
];
const SENTENCES: &[&str] = &[
    "Finished by hand with carnauba wax and checked against the light before it leaves the bench.",
    "It sits well in the hand and looks better after a year than on the first day.",
    "Goes well with a tamper, a box of long matches and a quiet evening.",
    "The hinge is a full-length pin, so there is no play to develop.",
    "Keeps a dozen cigars at an even sixty-eight percent for about a month.",
    "Wipe it with a dry cloth; no polish, no solvent.",
    "Made in small numbers, which is why no two show the same grain.",
    "Fits a breast pocket and weighs less than a set of keys.",
    "The lining is Spanish cedar, unvarnished, as it should be.",
    "Leaves us empty, because fuel may not travel by air.",
    "Every edge is rounded, so that it does not wear through a jacket.",
    "A gift that is used every day, in a plain card box.",
    "The stem is vulcanite, cut wide and thin, and takes a nine millimeter filter.",
    "Stands on felt feet and will not mark a table.",
    "Washable, stackable, and heavy enough to stay where it is put.",
    "Takes any pipe with a bowl up to two inches across.",
    "The blades can be resharpened and the spring replaced.",
    "Glazed in the kiln twice, which gives the surface its depth.",
    "Cut from one piece of hide and sewn with linen thread.",
    "Tested in a draft, at altitude and by people who drop things.",
    "The flame leans sideways into the bowl without scorching the rim.",
    "Comes with a cotton bag and a card that says how to care for it.",
];
const MISTAKES: &[(&str, &str)] = &[
    ("leather", "lether"),
    ("cigars", "cigras"),
    ("cedar", "ceder"),
    ("lighter", "ligther"),
    ("polish", "polihs"),
    ("filter", "fliter"),
];
const SYLLABLES: &[&str] = &[
    "al", "bar", "cot", "dun", "el", "far", "gren", "hol", "ing", "ker", "lan", "mar", "nor", "os", "pel", "quin",
    "ros", "sel", "tor", "ul", "ven", "wes", "yar", "zel", "den", "ford", "ley", "ham", "wick", "stone",
];

/// A small random number generator with a fixed seed, so that all runs measure the same.
struct Dice(u64);

impl Dice {
    fn roll(&mut self, sides: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 11) as usize % sides
    }

    fn pick<'a>(&mut self, from: &[&'a str]) -> &'a str {
        from[self.roll(from.len())]
    }
}

pub fn make(count: usize) -> Vec<SearchDocument> {
    let mut dice = Dice(0x9E37_79B9_7F4A_7C15);
    let makers: Vec<String> = (0..count * 9 / 200)
        .map(|_| {
            let name = format!("{}{}{}", dice.pick(SYLLABLES), dice.pick(SYLLABLES), dice.pick(SYLLABLES));
            name[..1].to_uppercase() + &name[1..]
        })
        .collect();
    (0..count).map(|number| product(number, &makers, &mut dice)).collect()
}

fn product(number: usize, makers: &[String], dice: &mut Dice) -> SearchDocument {
    let kind = &KINDS[dice.roll(KINDS.len())];
    let noun = dice.pick(kind.nouns);
    let material = kind.materials[dice.roll(kind.materials.len())];
    let mut title = vec![makers[dice.roll(makers.len())].clone()];
    if dice.roll(3) > 0 {
        title.push(dice.pick(STYLES).to_owned());
    }
    if dice.roll(2) == 0 && !noun.contains(material) {
        title.push(material.to_owned());
    }
    title.push(noun.to_owned());
    if dice.roll(4) == 0 {
        title.push(format!("No. {}", 1 + dice.roll(400)));
    }
    let mut colors: Vec<String> = (0..1 + dice.roll(3)).map(|_| dice.pick(COLORS).to_owned()).collect();
    colors.sort();
    colors.dedup();
    let mut sentences =
        vec![format!("A {} in {}, for those who know what they want.", noun.to_lowercase(), material.to_lowercase())];
    sentences.extend((0..4).map(|_| dice.pick(SENTENCES).to_owned()));
    let mut description = sentences.join(" ");
    if dice.roll(100) == 0 {
        let (right, wrong) = MISTAKES[dice.roll(MISTAKES.len())];
        description = description.replacen(right, wrong, 1);
    }
    let (low, high) = kind.dollars;
    let (name, slug, parent) = kind.category;
    SearchDocument {
        id: Uuid::from_u128(0x0190_0000_0000_7000_8000_0000_0000_0000 | (number as u128) << 80 | number as u128),
        title: title.join(" "),
        subtitle: dice.pick(SENTENCES).to_owned(),
        description,
        category_name: name.to_owned(),
        categories: vec![slug.to_owned(), parent.to_owned()],
        materials: vec![material.to_owned()],
        colors: colors.clone(),
        skus: colors.iter().map(|color| format!("{}-{number:05}-{}", kind.sku, &color.to_uppercase()[..3])).collect(),
        price: (low * 100 + dice.roll(((high - low) * 100) as usize) as u64) as i64,
        on_sale: dice.roll(6) == 0,
        availability: match dice.roll(20) {
            0..2 => Availability::OutOfStock,
            2..5 => Availability::LowStock,
            _ => Availability::InStock,
        },
        released_at: 1_700_000_000_000 + dice.roll(60_000) as i64 * 1_000_000,
        popularity: (dice.roll(1_000) * dice.roll(1_000) / 1_000) as i64,
    }
}
