/** The script of a page that carries no marks: finds where its texts are, and connects it with the editor around it. */
import { followTexts } from './follow.ts'
import { noteHints } from './hints.ts'
import { readConfig } from './service.ts'

/** Does nothing outside of a frame. A module runs once the document is there. */
async function start(): Promise<void> {
  if (window.parent === window) return
  noteHints()
  followTexts(await readConfig())
}

void start()
