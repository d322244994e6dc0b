/** Pictures on their way to the service, one after the other. */
import type { Answer } from '../service.ts'
import { createOutbox } from './sending.ts'

const { list, add } = createOutbox('image', (call, request) => call('POST /image/upload', request))
export const uploads = list
export const accepted = 'image/png,image/jpeg,image/webp,image/gif'
let turn: Promise<unknown> = Promise.resolve()

/** Sends a picture; resolves with `undefined` if it was refused or stopped, which is shown with it. */
export function upload(file: File): Promise<Answer<'POST /image/upload'> | undefined> {
  const { send, stop } = add(file)
  const mine = turn.then(async () => {
    const done = await send()
    if (done) stop()
    return done
  })
  turn = mine
  return mine
}
