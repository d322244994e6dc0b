import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'

/** What the editor needs to know of the service. It is public: everyone who loads the page reads it. */
export interface EditorSettings {
  /** The address of the orchestrator as browsers see it. */
  readonly orchestratorUrl: string
  readonly version: string
}

/** Reads the page of the editor, which may have been rebuilt, and inserts the settings. The tag covers both. */
export async function readPage(path: string, settings: EditorSettings): Promise<{ readonly body: Uint8Array; readonly etag: string }> {
  const body = withSettings(await readFile(path), settings)
  return { body, etag: `"${createHash('sha256').update(body).digest('base64url')}"` }
}

/** Inserts the settings before the end of the head, else at the start of the body, as JSON that no browser runs. */
export function withSettings(page: Uint8Array, settings: EditorSettings): Uint8Array {
  // `<` would end the block, or begin a comment in it.
  const json = JSON.stringify(settings).replaceAll('<', String.raw`\u003c`)
  const block = `<script type="application/json" id="orchestrator-settings">${json}</script>`
  const at = placeIn(Buffer.from(page).toString('latin1'))
  return Buffer.concat([page.subarray(0, at), Buffer.from(block), page.subarray(at)])
}

/** The place in a page whose characters are its bytes. */
function placeIn(text: string): number {
  const head = text.search(/<\/head[\s>]/i)
  if (head !== -1) return head
  const body = text.search(/<body[\s>]/i)
  const before = body === -1 ? text.search(/<!doctype\s/i) : body
  return before === -1 ? 0 : text.indexOf('>', before) + 1
}
