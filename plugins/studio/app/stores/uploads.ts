/** Pictures on their way to the service, one after the other. */
import type { Answer } from '../service.ts'
import { createOutbox } from './sending.ts'

/** The field of a document that a picture is for, and the address that it has. */
export interface PictureUse {
  readonly slug: string
  readonly field: string
  readonly before: string
}

type Uploaded = Answer<'POST /image/upload'>

const { list, add } = createOutbox('image', async (call, request) => {
  if (!request.form.has('slug')) return call('POST /image/upload', request)
  const stored = await call('POST /media/cms', request)
  return 'items' in stored ? undefined : (stored.value ?? stored.imageUrl)
})
export const uploads = list
export const accepted = 'image/png,image/jpeg,image/webp,image/gif'
let turn: Promise<unknown> = Promise.resolve()

function inTurn(file: File, fields: Readonly<Record<string, string>>) {
  const { send, stop } = add(file, undefined, fields)
  const mine = turn.then(async () => {
    const done = await send()
    if (done !== undefined) stop()
    return done
  })
  turn = mine
  return mine
}

/** Sends a picture; resolves with `undefined` if it was refused or stopped, which is shown with it. */
export async function upload(file: File): Promise<Uploaded | undefined> {
  const done = await inTurn(file, {})
  return typeof done === 'object' ? done : undefined
}

/** Sends a picture for a field of a document, and resolves with the address for it; otherwise like `upload`. */
export async function uploadFor(file: File, use: PictureUse, alt = ''): Promise<string | undefined> {
  const done = await inTurn(file, { ...use, alt })
  return typeof done === 'string' ? done : undefined
}
