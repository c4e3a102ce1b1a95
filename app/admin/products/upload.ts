import { ApiError, type ApiPath, type ResponseBody } from "../../lib/api";
import type { Problem } from "../../lib/types";
import { askForSignIn } from "../call";

/** What the user is told about a refused upload, where a file may be `what`, such as "a CSV file of up to 32 MB". */
export function uploadProblem(error: ApiError, what: string): string {
  if (error.status === 413 || error.status === 415) return `Choose ${what}.`;
  return error.about("file") ?? error.message;
}

/** Like `staffCall`, but uploads a file and reports the progress from 0 to 1, which `fetch` cannot do. */
export function upload<const Path extends ApiPath>(
  path: [ResponseBody<Path, "POST">] extends [never] ? never : Path,
  file: Blob,
  type: string,
  onProgress: (part: number) => void,
): Promise<ResponseBody<Path, "POST">> {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    request.open("POST", path);
    request.setRequestHeader("content-type", type);
    request.responseType = "json";
    request.upload.onprogress = ({ loaded, total }) => onProgress(total ? loaded / total : 0);
    request.onerror = () => reject(new ApiError(0, null));
    request.onload = () => {
      const { status, response } = request;
      if (status >= 200 && status < 300) {
        resolve(response as ResponseBody<Path, "POST">);
        return;
      }
      const error = new ApiError(status, response as Problem | null);
      askForSignIn(error);
      reject(error);
    };
    request.send(file);
  });
}
