import type { ServerResponse } from 'node:http'

/** Sends the page, with its last block after so many milliseconds. */
export function send(
  response: ServerResponse,
  options: { readonly ms: number; readonly script: string },
): void
