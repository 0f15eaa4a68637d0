// Downloads of shipping labels from the storage.
import ky from 'ky';

/** The PDF; undefined where the storage refuses the URL. The URL is signed by itself: it takes no token. */
export async function download(url: string): Promise<ArrayBuffer | undefined> {
  const response = await ky.get(url, { throwHttpErrors: (status) => status !== 403 });
  return response.ok ? response.arrayBuffer() : undefined;
}
