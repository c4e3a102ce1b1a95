//! The demo catalog's product pictures: still lifes on warm paper, drawn as SVG from the kind of product,
//! its color and material, and a seed. The same input always gives the same bytes.

mod backdrop;
mod boxes;
mod canvas;
mod cigar;
mod clothes;
mod companions;
mod fire;
mod home;
mod humidors;
mod matches;
mod materials;
mod motifs;
mod palette;
mod pipe_tools;
mod pipes;
mod racks;
mod rolling;
mod sets;
mod stage;
mod storage;
mod tools;
mod wallet;

use self::canvas::Canvas;
use self::materials::Look;
use self::stage::Pose;
use self::stage::Pose::{Lying, Standing};

/// Which picture of a product.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum View {
    /// The product alone on a calm backdrop.
    Front,
    /// A close crop.
    Detail,
    /// In a still life with companions.
    Scene,
}

/// What one variant of a product looks like.
pub struct Finish<'a> {
    /// The variant's color as `#rrggbb`.
    pub primary: &'a str,
    /// The catalog's word for the material, for example "Briar" or "Brass".
    pub material: &'a str,
}

/// How one kind is drawn and shown.
struct Piece {
    pose: Pose,
    /// Its size next to a book, where 1.0 is as large as in its own picture.
    size: f32,
    /// The part that the detail view shows, in the piece's own coordinates, and how much it is enlarged.
    focus: (f32, f32, f32),
    draw: fn(&mut Canvas, &Look),
}

macro_rules! kinds {
    ($($kind:ident $name:literal $pose:expr, $size:literal, $focus:expr, $draw:path;)*) => {
        /// The kinds of products that can be drawn.
        #[derive(Clone, Copy, Debug, Eq, Hash, PartialEq)]
        pub enum Kind { $($kind),* }

        impl Kind {
            pub const ALL: &[Self] = &[$(Self::$kind),*];

            /// The name in the catalog's data, in snake case.
            pub const fn name(self) -> &'static str {
                match self { $(Self::$kind => $name),* }
            }

            fn piece(self) -> Piece {
                match self { $(Self::$kind => Piece { pose: $pose, size: $size, focus: $focus, draw: $draw }),* }
            }
        }
    };
}

kinds! {
    PipeBilliard "pipe_billiard" Lying, 0.7, (-150.0, -20.0, 1.9), pipes::billiard;
    PipeBent "pipe_bent" Lying, 0.7, (-150.0, 20.0, 1.8), pipes::bent;
    PipeBentLattice "pipe_bent_lattice" Lying, 0.7, (-190.0, 20.0, 1.8), pipes::bent_lattice;
    PipeChurchwarden "pipe_churchwarden" Lying, 0.9, (-280.0, 150.0, 2.1), pipes::churchwarden;
    PipeCob "pipe_cob" Lying, 0.7, (-150.0, 0.0, 1.9), pipes::cob;
    PipeCobBent "pipe_cob_bent" Lying, 0.7, (-150.0, 0.0, 1.9), pipes::cob_bent;
    PipeCobThree "pipe_cob_three" Lying, 0.85, (0.0, 20.0, 1.6), sets::three_cobs;
    PipeCalabash "pipe_calabash" Lying, 0.75, (-180.0, 40.0, 1.7), pipes::calabash;
    PipePoker "pipe_poker" Lying, 0.7, (-150.0, 0.0, 1.9), pipes::poker;
    Tamper "tamper" Lying, 0.45, (110.0, -70.0, 1.8), pipe_tools::tamper;
    PipeTool "pipe_tool" Lying, 0.5, (0.0, -100.0, 1.7), pipe_tools::pipe_tool;
    PipeStand "pipe_stand" Standing(460.0), 0.7, (-120.0, -250.0, 1.6), pipe_tools::pipe_stand;
    PipeRack "pipe_rack" Standing(460.0), 0.9, (-60.0, -150.0, 1.8), racks::six;
    PipeRackTwelve "pipe_rack_twelve" Standing(760.0), 1.0, (-100.0, -480.0, 1.6), racks::twelve;
    PipeRackRing "pipe_rack_ring" Standing(460.0), 0.9, (-60.0, -150.0, 1.7), racks::ring;
    PipeStandTwo "pipe_stand_two" Standing(460.0), 0.8, (-120.0, -250.0, 1.6), racks::two;
    PipeRestLeather "pipe_rest_leather" Standing(420.0), 0.7, (-90.0, -180.0, 1.6), racks::leather;
    PipeCleaners "pipe_cleaners" Lying, 0.6, (60.0, -120.0, 1.8), pipe_tools::pipe_cleaners;
    Brushes "brushes" Lying, 0.6, (120.0, -140.0, 1.7), tools::brushes;
    Reamer "reamer" Lying, 0.5, (-20.0, 40.0, 1.7), tools::reamer;
    PipePouch "pipe_pouch" Lying, 0.75, (60.0, 90.0, 1.7), pipe_tools::pipe_pouch;
    PouchRoll "pouch_roll" Lying, 0.75, (60.0, 40.0, 1.7), pipe_tools::pouch_roll;
    PouchZip "pouch_zip" Lying, 0.75, (120.0, -60.0, 1.7), pipe_tools::pouch_zip;
    PipeSock "pipe_sock" Lying, 0.75, (20.0, -150.0, 1.7), pipe_tools::pipe_sock;
    CutterGuillotine "cutter_guillotine" Lying, 0.5, (-60.0, 20.0, 1.8), cigar::cutter_guillotine;
    CutterV "cutter_v" Lying, 0.5, (70.0, -190.0, 1.7), cigar::cutter_v;
    CutterScissors "cutter_scissors" Lying, 0.6, (40.0, -60.0, 1.7), cigar::cutter_scissors;
    CigarPunch "cigar_punch" Lying, 0.4, (140.0, -100.0, 1.8), cigar::cigar_punch;
    PunchThree "punch_three" Lying, 0.4, (0.0, -90.0, 1.7), tools::punches;
    CutterBlock "cutter_block" Standing(420.0), 0.6, (-80.0, -200.0, 1.6), tools::block_cutter;
    HumidorDesktop "humidor_desktop" Standing(560.0), 1.0, (-60.0, -220.0, 1.6), humidors::desktop;
    HumidorDial "humidor_dial" Standing(580.0), 1.0, (-60.0, -180.0, 1.6), humidors::front_dial;
    HumidorGlass "humidor_glass" Standing(560.0), 1.0, (-20.0, -330.0, 1.5), humidors::glass_top;
    HumidorDrawers "humidor_drawers" Standing(620.0), 1.0, (-60.0, -260.0, 1.6), humidors::drawers;
    HumidorTravel "humidor_travel" Standing(500.0), 0.8, (-120.0, -240.0, 1.8), cigar::humidor_travel;
    Hygrometer "hygrometer" Lying, 0.45, (-60.0, -90.0, 1.6), cigar::hygrometer;
    HygrometerDigital "hygrometer_digital" Lying, 0.45, (-80.0, -20.0, 1.6), cigar::hygrometer_digital;
    HumidityPacks "humidity_packs" Lying, 0.55, (120.0, -60.0, 1.7), cigar::humidity_packs;
    CigarCase "cigar_case" Lying, 0.7, (-60.0, -100.0, 1.7), cigar::cigar_case;
    CigarCaseTwo "cigar_case_two" Lying, 0.7, (-60.0, -100.0, 1.7), cigar::cigar_case_two;
    CigarCaseHard "cigar_case_hard" Lying, 0.7, (-60.0, -60.0, 1.7), storage::case_hard;
    CigarTube "cigar_tube" Lying, 0.7, (100.0, -60.0, 1.8), cigar::cigar_tube;
    AshtrayRound "ashtray_round" Standing(290.0), 0.7, (120.0, -120.0, 1.7), cigar::ashtray_round;
    AshtrayKnocker "ashtray_knocker" Standing(290.0), 0.7, (40.0, -140.0, 1.7), cigar::ashtray_knocker;
    AshtraySquare "ashtray_square" Standing(330.0), 0.75, (110.0, -150.0, 1.6), cigar::ashtray_square;
    LighterFlip "lighter_flip" Standing(600.0), 0.5, (10.0, -330.0, 1.7), fire::lighter_flip;
    LighterTube "lighter_tube" Standing(600.0), 0.45, (0.0, -350.0, 1.7), fire::lighter_tube;
    LighterTorch "lighter_torch" Standing(690.0), 0.5, (0.0, -470.0, 1.7), fire::lighter_torch;
    LighterTorchTriple "lighter_torch_triple" Standing(690.0), 0.5, (40.0, -470.0, 1.7), fire::lighter_torch_triple;
    LighterTorchFlat "lighter_torch_flat" Standing(690.0), 0.5, (40.0, -470.0, 1.7), fire::lighter_torch_flat;
    TorchTable "torch_table" Standing(560.0), 0.65, (0.0, -330.0, 1.6), fire::torch_table;
    LighterPipe "lighter_pipe" Standing(640.0), 0.5, (30.0, -450.0, 1.8), fire::lighter_pipe;
    LighterTable "lighter_table" Standing(640.0), 0.65, (0.0, -360.0, 1.6), fire::lighter_table;
    ButaneCan "butane_can" Standing(640.0), 0.75, (-20.0, -320.0, 1.7), fire::butane_can;
    Flints "flints" Lying, 0.4, (-40.0, -20.0, 1.6), fire::flints;
    Wicks "wicks" Lying, 0.5, (-40.0, 40.0, 1.6), sets::wicks;
    MatchCloche "match_cloche" Standing(580.0), 0.65, (-20.0, -330.0, 1.6), matches::cloche;
    MatchboxSleeve "matchbox_sleeve" Lying, 0.5, (-80.0, 20.0, 1.7), matches::sleeve;
    Spills "spills" Lying, 0.6, (60.0, -60.0, 1.7), matches::spills;
    Matches "matches" Lying, 0.55, (160.0, -60.0, 1.7), fire::matches;
    Papers "papers" Lying, 0.55, (-80.0, -40.0, 1.7), rolling::papers;
    PaperRoll "paper_roll" Lying, 0.55, (-60.0, -20.0, 1.7), tools::paper_roll;
    PapersWallet "papers_wallet" Lying, 0.65, (-60.0, -60.0, 1.5), wallet::open;
    RollingMachine "rolling_machine" Lying, 0.6, (-140.0, -20.0, 1.7), rolling::rolling_machine;
    TubeFiller "tube_filler" Standing(480.0), 0.85, (60.0, -200.0, 1.5), tools::tube_filler;
    RollingTray "rolling_tray" Lying, 0.85, (130.0, 60.0, 1.6), rolling::rolling_tray;
    FilterTips "filter_tips" Lying, 0.5, (40.0, 90.0, 1.7), rolling::filter_tips;
    FilterTubes "filter_tubes" Lying, 0.5, (40.0, 60.0, 1.7), sets::tubes;
    Tin "tin" Standing(360.0), 0.6, (-60.0, -190.0, 1.7), storage::tin;
    TinHinged "tin_hinged" Lying, 0.5, (-100.0, -60.0, 1.7), storage::tin_hinged;
    Grinder "grinder" Standing(440.0), 0.55, (-40.0, -260.0, 1.8), rolling::grinder;
    CrankMill "crank_mill" Standing(560.0), 0.6, (0.0, -250.0, 1.6), tools::crank_mill;
    Jar "jar" Standing(640.0), 0.85, (-30.0, -370.0, 1.7), storage::jar;
    JarBale "jar_bale" Standing(580.0), 0.85, (-30.0, -370.0, 1.7), storage::jar_bale;
    JarsThree "jars_three" Standing(500.0), 0.95, (-20.0, -260.0, 1.6), sets::three_jars;
    CigaretteCase "cigarette_case" Lying, 0.6, (-120.0, 0.0, 1.6), storage::cigarette_case;
    CigaretteBox "cigarette_box" Standing(600.0), 0.85, (-20.0, -230.0, 1.5), boxes::cigarettes;
    CigaretteHolder "cigarette_holder" Lying, 0.7, (120.0, -110.0, 2.0), storage::cigarette_holder;
    SnuffBox "snuff_box" Standing(520.0), 0.45, (-30.0, -210.0, 1.6), storage::snuff_box;
    Candle "candle" Standing(580.0), 0.65, (-20.0, -360.0, 1.7), home::candle;
    CandlePillar "candle_pillar" Standing(640.0), 0.65, (-20.0, -420.0, 1.7), home::candle_pillar;
    RoomSpray "room_spray" Standing(680.0), 0.7, (0.0, -420.0, 1.7), home::room_spray;
    Journal "journal" Lying, 0.8, (60.0, -80.0, 1.7), home::journal;
    Cap "cap" Standing(360.0), 0.85, (-120.0, -130.0, 1.6), clothes::cap;
    CapRound "cap_round" Standing(360.0), 0.85, (-60.0, -170.0, 1.6), clothes::cap_round;
    Jacket "jacket" Lying, 1.7, (40.0, -150.0, 1.9), clothes::jacket;
    JacketQuilted "jacket_quilted" Lying, 1.7, (40.0, -150.0, 1.9), clothes::jacket_quilted;
    TrayValet "tray_valet" Lying, 0.85, (90.0, -110.0, 1.6), home::tray_valet;
    TrayBoard "tray_board" Lying, 0.9, (-60.0, 60.0, 1.6), home::tray_board;
    Coasters "coasters" Lying, 0.8, (60.0, 90.0, 1.7), sets::coasters;
    CleaningKit "cleaning_kit" Lying, 0.85, (-60.0, -20.0, 1.7), home::cleaning_kit;
    GiftBox "gift_box" Standing(520.0), 0.9, (20.0, -330.0, 1.6), home::gift_box;
    LeatherRoll "leather_roll" Lying, 0.85, (-80.0, 0.0, 1.6), home::leather_roll;
}

impl std::str::FromStr for Kind {
    type Err = UnknownKind;

    fn from_str(name: &str) -> Result<Self, UnknownKind> {
        Self::ALL.iter().copied().find(|kind| kind.name() == name).ok_or(UnknownKind)
    }
}

/// The name is not one of [`Kind::ALL`].
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct UnknownKind;

impl std::fmt::Display for UnknownKind {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("there is no illustration with this name")
    }
}

impl std::error::Error for UnknownKind {}

/// Draws a product as a complete SVG document of 1200 by 1200 units.
pub fn draw(kind: Kind, finish: &Finish<'_>, view: View, seed: u64) -> String {
    stage::compose(&kind.piece(), finish, view, seed)
}

#[cfg(test)]
mod tests {
    use std::collections::HashMap;

    use picture_codec::Drawing;

    use super::*;

    const VIEWS: [View; 3] = [View::Front, View::Detail, View::Scene];
    const FINISH: Finish<'_> = Finish { primary: "#7a4a2b", material: "Walnut" };

    fn pictures() -> impl Iterator<Item = (Kind, View, String)> {
        Kind::ALL.iter().flat_map(|&kind| VIEWS.map(|view| (kind, view, draw(kind, &FINISH, view, 7))))
    }

    #[test]
    fn a_kind_is_found_by_its_name() {
        assert!(Kind::ALL.iter().all(|kind| kind.name().parse() == Ok(*kind)));
        assert_eq!("umbrella".parse::<Kind>(), Err(UnknownKind));
    }

    #[test]
    fn the_same_input_gives_the_same_bytes() {
        for (kind, view, picture) in pictures() {
            assert_eq!(draw(kind, &FINISH, view, 7), picture, "{kind:?} {view:?}");
        }
    }

    #[test]
    fn color_material_and_seed_change_the_picture() {
        for &kind in Kind::ALL {
            let picture = draw(kind, &FINISH, View::Front, 7);
            assert_ne!(draw(kind, &FINISH, View::Front, 8), picture, "{kind:?}");
            let black = Finish { primary: "#1c1a19", ..FINISH };
            assert_ne!(draw(kind, &black, View::Front, 7), picture, "{kind:?}");
        }
        let steel = Finish { material: "Stainless steel", ..FINISH };
        assert_ne!(draw(Kind::Tamper, &steel, View::Front, 7), draw(Kind::Tamper, &FINISH, View::Front, 7));
    }

    #[test]
    fn every_picture_is_small_and_needs_nothing_from_outside() {
        for (kind, view, picture) in pictures() {
            let limit = if view == View::Scene { 24 } else { 15 } * 1024;
            assert!(picture.len() <= limit, "{kind:?} {view:?}: {} bytes", picture.len());
            for foreign in ["<text", "<image", "href=\"http", "NaN", "inf"] {
                assert!(!picture.contains(foreign), "{kind:?} {view:?} contains {foreign}");
            }
        }
    }

    #[test]
    fn every_picture_covers_its_square_and_no_two_look_alike() {
        let mut seen = HashMap::new();
        for (kind, view, picture) in pictures() {
            let raster = Drawing::parse(&picture).unwrap().raster(96).unwrap();
            assert_eq!((raster.width(), raster.height()), (96, 96));
            assert!(raster.is_opaque(), "{kind:?} {view:?} has holes");
            let twin = seen.insert(raster.rgba().to_vec(), (kind, view));
            assert_eq!(twin, None, "{kind:?} {view:?} looks the same");
        }
    }

    #[test]
    fn a_product_stands_out_from_its_backdrop_in_any_color() {
        for red in (0..=255).step_by(51) {
            for green in (0..=255).step_by(51) {
                for blue in (0..=255).step_by(51) {
                    let product = palette::Color::hex(&format!("#{red:02x}{green:02x}{blue:02x}"));
                    for seed in 0..6 {
                        let sheet = backdrop::choose(product, &mut palette::Dice::new(seed));
                        assert!(sheet.distance(product) >= backdrop::CONTRAST, "{product} on {sheet}");
                    }
                }
            }
        }
    }

    #[test]
    fn colors_survive_the_way_through_oklab() {
        for hex in ["#000000", "#ffffff", "#7a4a2b", "#2f5a4c", "#c23a2a"] {
            assert_eq!(palette::Color::hex(hex).to_string(), hex);
        }
    }
}
