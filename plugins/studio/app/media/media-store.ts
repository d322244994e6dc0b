/** The pictures that are looked at, of one source. */
import { effect, signal } from '@preact/signals'
import { call, sentenceOf } from '../service.ts'
import { newest } from '../stores/newest.ts'
import { sourceNames, sources, type PicturePage, type Picture, type SourceName } from './pictures.ts'
import { draftId } from '../stores/site.ts'

export const source = signal<SourceName>('uploads')
export const words = signal('')
/** `undefined` until they are read. */
export const found = signal<PicturePage | undefined>(undefined)
export const failure = signal<string | undefined>(undefined)
export const chosen = signal<Picture | undefined>(undefined)
/** The sources that this installation has. */
export const available = signal<readonly SourceName[]>(['uploads'])

const pauseMs = 250
/** Counts the questions: only the answer to the newest one is shown. */
let requestCount = 0

/** Reads the pictures from the beginning, or those after the ones that are there. */
export async function loadPictures(more?: PicturePage): Promise<void> {
  const mine = (requestCount += 1)
  try {
    const read = await sources[source.peek()].find(words.peek().trim(), more?.next)
    if (mine !== requestCount) return
    found.value = more ? { ...read, pictures: [...more.pictures, ...read.pictures] } : read
    failure.value = undefined
  } catch (error) {
    if (mine === requestCount) failure.value = sentenceOf(error)
  }
}

export function choosePlace(name: SourceName): void {
  source.value = name
  found.value = undefined
  chosen.value = undefined
}

const loadSources = newest(
  () => call('GET /status/planner'),
  ({ features }) => {
    available.value = sourceNames.filter((name) => {
      const each = sources[name]
      return !('feature' in each) || features[each.feature] === true
    })
  },
)

/** Keeps the pictures current while they are shown; returns the end of it. */
export function followMedia(): () => void {
  void loadSources().catch(() => undefined)
  let timer = 0
  const end = effect(() => {
    const [typed] = [words.value, source.value, draftId.value]
    clearTimeout(timer)
    timer = window.setTimeout(() => void loadPictures(), typed === '' ? 0 : pauseMs)
  })
  return () => {
    clearTimeout(timer)
    end()
  }
}
