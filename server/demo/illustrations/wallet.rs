//! The wallet for papers and tips.

use super::canvas::Canvas;
use super::materials::{Look, glint, lit, plate, round, stitch, thread};
use super::motifs::mark;
use super::palette::{BRASS, Color, PAPER};

/// A wallet of leather that lies open: a booklet of papers in its left pocket, tips in its right one.
pub fn open(c: &mut Canvas, look: &Look) {
    let leather = look.color;
    let thread = thread(leather);
    let (cover, pocket, inner) = (lit(c, leather), lit(c, leather.light(0.1)), leather.shade(0.3));
    c.transformed("rotate(-6)scale(1.04)", |c| {
        let tab = lit(c, leather.shade(0.1));
        c.path("M300 -84H418C462 -84 474 -50 474 -10C474 30 462 64 418 64H300Z", tab);
        let shape = "M-340 -350H340C358 -350 366 -342 366 -324V324C366 342 358 350 340 350H-340C-358 350 -366 342 -366 324V-324C-366 -342 -358 -350 -340 -350Z";
        c.path(shape, cover);
        look.texture(c, shape, (-366.0, -350.0, 732.0, 700.0));
        pencil(c);
        if c.outlining() {
            return;
        }
        let band = round(c, leather);
        c.glaze("M-24 -66H32V130H-24Z", leather.shade(0.95), 0.35);
        c.rect((-26.0, -76.0), (52.0, 196.0), 8.0, band);
        stitch(c, "M-30 -76V120M30 -76V120", leather, thread);
        stitch(c, "M330 -70H410C446 -70 456 -44 456 -10C456 24 446 50 410 50H330", leather, thread);
        let snap = plate(c, Color::hex(BRASS));
        c.circle((422.0, -8.0), 22.0, leather.shade(0.6));
        c.circle((420.0, -10.0), 20.0, snap);
        c.path("M-334 -318H-46V318H-334ZM46 -318H334V318H46Z", inner);
        booklet(c);
        tips(c);
        for (shape, edge) in [
            ("M-346 60H-40V334H-346Z", "M-330 76H-56V318H-330Z"),
            ("M40 60H346V334H40Z", "M56 76H330V318H56Z"),
        ] {
            c.transformed("translate(3 -9)", |c| c.glaze(shape, leather.shade(0.95), 0.4));
            c.path(shape, &pocket);
            look.texture(c, shape, (-346.0, 60.0, 692.0, 274.0));
            stitch(c, edge, leather, thread);
        }
        mark(c, (193.0, 200.0), 100.0, leather.shade(0.6));
        stitch(c, "M-346 -330H-34M34 -330H346", leather, thread);
        glint(c, "M-340 -343H340", 5.0, 0.3);
    });
}

/// A pencil in the loop along the spine of a wallet.
fn pencil(c: &mut Canvas) {
    let (wood, lead) = (round(c, Color::hex("#c9973f")), round(c, Color::hex("#e8cfa2")));
    c.path("M-15 -300L0 -372L15 -300Z", lead);
    c.path("M-5 -348L0 -372L5 -348Z", "#2b2524");
    c.rect((-15.0, -302.0), (30.0, 640.0), 4.0, wood);
}

/// A booklet of papers, the next sheet pulled halfway out.
fn booklet(c: &mut Canvas) {
    let paper = Color::hex(PAPER);
    let sheet = c.linear((0.0, 0.0), (1.0, 1.0), &[(0.0, paper.light(0.7), 0.96), (1.0, paper.shade(0.1), 0.96)]);
    let cover = lit(c, Color::hex("#c6a074"));
    c.path("M-300 -308C-230 -318 -150 -300 -92 -312L-98 100H-292Z", &sheet);
    c.line("M-270 -300L-266 60", "#b79f78", 3.0, 0.5);
    c.path("M-312 -176H-74V120H-312Z", &cover);
    c.line("M-312 -132H-74", "#6b4c2c", 4.0, 0.6);
    mark(c, (-193.0, -48.0), 116.0, Color::hex("#5a3b22"));
    c.line("M-262 34H-124", "#5a3b22", 9.0, 0.8);
}

/// A book of card tips, some of them torn off.
fn tips(c: &mut Canvas) {
    let card = Color::hex("#f0e4cb");
    let (leaf, cover) = (lit(c, card), lit(c, Color::hex("#7c3a2b")));
    c.rect((70.0, -262.0), (246.0, 380.0), 4.0, card.shade(0.4));
    c.rect((66.0, -270.0), (246.0, 390.0), 4.0, leaf);
    c.dashes("M66 -196H312M66 -122H312M66 -48H312", card.shade(0.5), 5.0, "12 9", "butt");
    c.path("M60 -18H318V120H60Z", cover);
    c.line("M100 26H278", card, 9.0, 0.8);
}
