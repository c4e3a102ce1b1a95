//! AVIF through rav1e, configured for fast encoding of a still picture.
//!
//! Eight bits, 4:2:0 chroma subsampling, blocks of one size, and costs estimated on transformed pixels: together three times as fast as the
//! presets at nearly their file size. Everything runs on the caller's thread.

use avif_serialize::Aviffy;
use avif_serialize::constants::MatrixCoefficients as FileMatrix;
use rav1e::prelude::*;

use crate::{CodecError, Raster};

/// AV1 quantizer, 0 (lossless) to 255.
const QUANTIZER: usize = 115;
/// Artifacts at transparent edges are more visible than in colors.
const ALPHA_QUANTIZER: usize = 60;

/// A lossy AVIF. The raster has at least 16 pixels on each side.
pub fn encode_avif(raster: &Raster) -> Result<Vec<u8>, CodecError> {
    let (width, height) = (raster.width() as usize, raster.height() as usize);
    let color = encode_planes(config(width, height, ChromaSampling::Cs420, QUANTIZER), &color_planes(raster))?;
    let alpha = if raster.is_opaque() {
        None
    } else {
        let plane = Plane { width, samples: raster.rgba().iter().skip(3).step_by(4).copied().collect() };
        Some(encode_planes(config(width, height, ChromaSampling::Cs400, ALPHA_QUANTIZER), &[plane])?)
    };
    let mut file = Aviffy::new();
    file.set_seq_profile(0).set_chroma_subsampling((true, true)).matrix_coefficients(FileMatrix::Bt601);
    Ok(file.to_vec(&color, alpha.as_deref(), raster.width(), raster.height(), 8))
}

/// Samples of one channel, rows from the top without gaps.
struct Plane {
    width: usize,
    samples: Vec<u8>,
}

fn encode_planes(config: EncoderConfig, planes: &[Plane]) -> Result<Vec<u8>, CodecError> {
    let mut context: Context<u8> = Config::new()
        .with_encoder_config(config)
        .with_threads(1)
        .new_context()
        .map_err(|cause| CodecError::encoder("AVIF", cause))?;
    let mut frame = context.new_frame();
    for (target, plane) in frame.planes.iter_mut().zip(planes) {
        target.copy_from_raw_u8(&plane.samples, plane.width, 1);
    }
    context.send_frame(frame).map_err(|cause| CodecError::encoder("AVIF", cause))?;
    context.flush();
    let mut data = Vec::new();
    loop {
        match context.receive_packet() {
            Ok(packet) => data.extend(packet.data),
            Err(EncoderStatus::Encoded) => {}
            Err(EncoderStatus::LimitReached) => return Ok(data),
            Err(cause) => return Err(CodecError::encoder("AVIF", cause)),
        }
    }
}

fn config(width: usize, height: usize, chroma_sampling: ChromaSampling, quantizer: usize) -> EncoderConfig {
    EncoderConfig {
        width,
        height,
        bit_depth: 8,
        chroma_sampling,
        pixel_range: PixelRange::Full,
        color_description: Some(ColorDescription {
            color_primaries: ColorPrimaries::BT709,
            transfer_characteristics: TransferCharacteristics::SRGB,
            matrix_coefficients: MatrixCoefficients::BT601,
        }),
        still_picture: true,
        quantizer,
        min_quantizer: u8::try_from(quantizer).unwrap_or(u8::MAX),
        // The other tuning reconstructs every candidate block to evaluate it, which takes 50% longer.
        tune: Tune::Psnr,
        speed_settings: speed(),
        ..EncoderConfig::default()
    }
}

fn speed() -> SpeedSettings {
    let mut speed = SpeedSettings::from_preset(10);
    speed.rdo_lookahead_frames = 1;
    speed.scene_detection_mode = SceneDetectionSpeed::None;
    speed.cdef = false;
    speed.prediction.prediction_modes = PredictionModesSetting::Simple;
    speed.prediction.fine_directional_intra = false;
    // A tenth smaller files for a tenth more time.
    speed.transform.tx_domain_rate = false;
    speed.partition.partition_range = PartitionRange::new(BlockSize::BLOCK_16X16, BlockSize::BLOCK_16X16);
    speed
}

/// Luma at full size and both color differences at half of it: BT.601, full range, in 16-bit fixed point.
fn color_planes(raster: &Raster) -> [Plane; 3] {
    const HALF: i32 = 1 << 15;
    let (width, height) = (raster.width() as usize, raster.height() as usize);
    let rows: Vec<&[u8]> = raster.rgba().chunks_exact(width * 4).collect();
    let luma = raster
        .rgba()
        .chunks_exact(4)
        .map(|p| ((19_595 * i32::from(p[0]) + 38_470 * i32::from(p[1]) + 7_471 * i32::from(p[2]) + HALF) >> 16) as u8)
        .collect();
    let (half_width, half_height) = (width.div_ceil(2), height.div_ceil(2));
    let mut blue = Vec::with_capacity(half_width * half_height);
    let mut red = Vec::with_capacity(half_width * half_height);
    for pair in rows.chunks(2) {
        let (upper, lower) = (pair[0], pair[pair.len() - 1]);
        for (upper, lower) in upper.chunks(8).zip(lower.chunks(8)) {
            // The sum of four pixels; at an odd edge the last one counts twice.
            let right = upper.len() - 4;
            let sum =
                |c: usize| [upper[c], upper[right + c], lower[c], lower[right + c]].iter().map(|&v| i32::from(v)).sum();
            let (r, g, b): (i32, i32, i32) = (sum(0), sum(1), sum(2));
            let sample = |weighted: i32| (((weighted + 2 * HALF) >> 18) + 128).clamp(0, 255) as u8;
            blue.push(sample(-11_059 * r - 21_709 * g + 32_768 * b));
            red.push(sample(32_768 * r - 27_439 * g - 5_329 * b));
        }
    }
    [
        Plane { width, samples: luma },
        Plane { width: half_width, samples: blue },
        Plane { width: half_width, samples: red },
    ]
}
