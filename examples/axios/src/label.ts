// Downloads of shipping labels from the storage.
import axios from 'axios';

/** The PDF; undefined where the storage refuses the URL. The URL is signed by itself: it takes no token. */
export async function download(url: string): Promise<Buffer | undefined> {
  const { status, data } = await axios.get<Buffer>(url, {
    responseType: 'arraybuffer',
    validateStatus: (status) => status === 200 || status === 403,
  });
  return status === 200 ? data : undefined;
}
