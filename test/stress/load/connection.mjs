// One keep-alive connection of the load generator: sends prebuilt request bytes and reports each 2xx answer.
import { once } from 'node:events';
import net from 'node:net';
import { createAnswerReader } from './answer-reader.mjs';
import { UnexpectedStatus } from './call.mjs';

const readBufferBytes = 65_536;

export class Connection {
  onAnswer = () => {};
  onFailure = () => {};
  #socket;

  static async open({ hostname, port }) {
    const connection = new Connection();
    connection.#connect(hostname, Number(port));
    await once(connection.#socket, 'connect');
    return connection;
  }

  send(bytes) {
    this.#socket.write(bytes);
  }

  close() {
    this.onFailure = () => {};
    this.#socket.destroy();
  }

  // `onread` with one buffer skips the stream machinery, which would cost the generator more than the answers.
  #connect(host, port) {
    const read = createAnswerReader((answer) => this.#accept(answer));
    const onread = {
      buffer: Buffer.allocUnsafe(readBufferBytes),
      callback: (size, buffer) => this.#read(read, buffer.subarray(0, size)),
    };
    this.#socket = net.connect({ host, port, noDelay: true, onread });
    this.#socket.on('error', (error) => this.onFailure(error));
    this.#socket.on('close', () => this.onFailure(new Error('the server closed a connection')));
  }

  #read(read, chunk) {
    try {
      read(chunk);
    } catch (error) {
      this.onFailure(error);
    }
    return true;
  }

  #accept({ status, bytes, bodyStart }) {
    if (status >= 200 && status <= 299) return this.onAnswer();
    throw new UnexpectedStatus('a request under load', { status, body: bytes.toString('utf8', bodyStart) });
  }
}
