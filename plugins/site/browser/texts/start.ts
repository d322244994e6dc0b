/** The script of a page that carries no marks: finds where its texts are, and connects it with the editor around it. */
import { followTexts } from './follow.ts'
import { noteHints } from './hints.ts'
import { readConfig } from './service.ts'

/** Starts once the document is there; does nothing outside of a frame. */
export async function start(script: HTMLOrSVGScriptElement | null): Promise<void> {
  if (window.parent === window) return
  const config = readConfig(script)
  if (document.readyState === 'loading')
    await new Promise((parsed) => document.addEventListener('DOMContentLoaded', parsed, { once: true }))
  noteHints()
  followTexts(await config)
}
