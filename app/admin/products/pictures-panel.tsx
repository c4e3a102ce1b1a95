import { type DragEvent, useState } from "react";
import { ApiError } from "../../lib/api";
import { addToast } from "../../lib/toast";
import type { PictureContent } from "../../lib/types";
import type { Editing } from "./editing";
import { PRODUCT_LABELS } from "./field-labels";
import { upload, uploadProblem } from "./upload";

const TYPES = ["image/jpeg", "image/png", "image/webp"];

interface Upload {
  name: string;
  progress: number;
}

/** The product's images: upload, order, and alt texts. */
export function PicturesPanel({
  content,
  change,
  onUploading,
  about,
  readOnly,
}: Pick<Editing, "content" | "about" | "readOnly"> & {
  change: (make: (pictures: PictureContent[]) => PictureContent[]) => void;
  /** Called when uploads begin, with 1, and when they have ended, with -1. */
  onUploading: (by: 1 | -1) => void;
}) {
  const { pictures } = content;
  const [uploads, setUploads] = useState<Upload[]>([]);
  const [isDraggedOver, setDraggedOver] = useState(false);
  const [dragged, setDragged] = useState<string | null>(null);

  async function add(files: Iterable<File>): Promise<void> {
    onUploading(1);
    try {
      for (const file of files) await send(file);
    } finally {
      onUploading(-1);
    }
  }

  async function send(file: File): Promise<void> {
    const showProgress = (progress: number) =>
      setUploads((all) => [
        ...all.filter(({ name }) => name !== file.name),
        { name: file.name, progress },
      ]);
    showProgress(0);
    try {
      const type = TYPES.includes(file.type) ? file.type : "application/octet-stream";
      const { key } = await upload("/api/admin/pictures", file, type, showProgress);
      change((all) => (all.some((each) => each.key === key) ? all : [...all, { key, alt: "" }]));
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      addToast({
        severity: "error",
        summary: file.name,
        detail: uploadProblem(error, "a JPEG, PNG, or WebP of up to 20 MB"),
      });
    } finally {
      setUploads((all) => all.filter(({ name }) => name !== file.name));
    }
  }

  function move(key: string, to: number): void {
    change((all) => {
      const moved = all.find((each) => each.key === key);
      const rest = all.filter((each) => each.key !== key);
      return moved ? [...rest.slice(0, to), moved, ...rest.slice(to)] : all;
    });
  }

  function drop(event: DragEvent, at: number): void {
    event.preventDefault();
    event.stopPropagation();
    setDraggedOver(false);
    if (dragged) move(dragged, at);
    else void add([...event.dataTransfer.files]);
    setDragged(null);
  }

  return (
    <section
      className="panel pictures"
      aria-labelledby="pictures"
      data-over={isDraggedOver || undefined}
      onDragOver={(event) => {
        if (readOnly) return;
        event.preventDefault();
        setDraggedOver(true);
      }}
      onDragLeave={() => setDraggedOver(false)}
      onDrop={(event) => drop(event, pictures.length)}
    >
      <h2 id="pictures">{PRODUCT_LABELS.pictures}</h2>
      {about("pictures") && <p className="field-error">{about("pictures")}</p>}
      <ol>
        {pictures.map(({ key, alt }, at) => {
          const problem = about(`pictures[${at}].alt`) ?? about(`pictures[${at}].key`);
          return (
            <li key={key} onDrop={(event) => drop(event, at)}>
              {/* Not the item: in Firefox the mouse cannot select text in a field within what is draggable. */}
              {/* biome-ignore lint/a11y/noStaticElementInteractions: there are buttons for the keyboard. */}
              <img
                src={`/images/${key}-320.webp`}
                alt=""
                width={160}
                height={160}
                loading="lazy"
                draggable={!readOnly}
                onDragStart={() => setDragged(key)}
                onDragEnd={() => setDragged(null)}
              />
              <label className="label" htmlFor={`alt-${key}`}>
                Alt text
              </label>
              <textarea
                id={`alt-${key}`}
                className="input"
                rows={2}
                value={alt}
                readOnly={readOnly}
                aria-invalid={problem !== undefined}
                aria-describedby={problem && `alt-${key}-problem`}
                onChange={({ target }) => {
                  const text = target.value.replaceAll("\n", " ");
                  change((all) =>
                    all.map((each) => (each.key === key ? { ...each, alt: text } : each)),
                  );
                }}
              />
              {problem && (
                <p id={`alt-${key}-problem`} className="field-error">
                  {problem}
                </p>
              )}
              {!readOnly && (
                <div className="picture-acts">
                  <button
                    type="button"
                    className="link"
                    aria-label={`Move image ${at + 1} earlier`}
                    aria-disabled={at === 0}
                    onClick={() => move(key, at - 1)}
                  >
                    Earlier
                  </button>
                  <button
                    type="button"
                    className="link"
                    aria-label={`Move image ${at + 1} later`}
                    aria-disabled={at === pictures.length - 1}
                    onClick={() => move(key, at + 1)}
                  >
                    Later
                  </button>
                  <button
                    type="button"
                    className="link"
                    aria-label={`Remove image ${at + 1}`}
                    onClick={() => change((all) => all.filter((each) => each.key !== key))}
                  >
                    Remove
                  </button>
                </div>
              )}
            </li>
          );
        })}
      </ol>
      {uploads.map(({ name, progress }) => (
        <p key={name} className="upload-progress">
          <span>{name}</span>
          <progress value={progress} aria-label={`Uploading ${name}`} />
        </p>
      ))}
      {!readOnly && (
        <p className="picture-add">
          <label className="button button-quiet">
            Add images
            <input
              type="file"
              className="visually-hidden"
              accept={TYPES.join(",")}
              multiple
              onChange={({ target }) => {
                void add([...(target.files ?? [])]);
                target.value = "";
              }}
            />
          </label>
          <span>or drop them here: JPEG, PNG, or WebP up to 20 MB.</span>
        </p>
      )}
    </section>
  );
}
