// Downloads shipping labels from the object storage.
import axios from 'axios';

/** Returns the PDF, or undefined if the storage rejects the URL. The URL is signed, so the request needs no token. */
export async function download(url: string): Promise<Buffer | undefined> {
  const { status, data } = await axios.get<Buffer>(url, {
    responseType: 'arraybuffer',
    validateStatus: (status) => status === 200 || status === 403,
  });
  return status === 200 ? data : undefined;
}
