/** Starts the checkouts of a website that is edited: of its drafts, which they follow, and of what is published. */
import { bus } from '../../../plugins/bus/port.ts'
import {
  type CheckoutOptions,
  type Checkout,
  createDraftFiles,
  type DevProject,
  openCheckout,
  type RunningCheckout,
} from '../../../plugins/checkout/port.ts'
import type { Page } from '../../../plugins/content/page.ts'
import { draftChanged, drafts } from '../../../plugins/draft/port.ts'
import type { ContentFiles } from '../../../plugins/files/adapter/index.ts'
import { following } from '../../../plugins/follow/port.ts'
import { scope } from '../../../plugins/scope/port.ts'
import type { serve } from '../serve/start.ts'
import { watchFolder } from './watch.ts'

interface CheckoutsOptions extends Pick<CheckoutOptions, 'env' | 'git'> {
  readonly project: DevProject
  readonly siteId: string
  readonly files: Pick<ContentFiles, 'filesOf'>
  /** The service, once it has started. */
  readonly service: Promise<Pick<Awaited<ReturnType<typeof serve>>, 'get' | 'log'>>
  readonly signal: AbortSignal
}

export type Checkouts = ReturnType<typeof createCheckouts>

/** A checkout that runs, and how it follows the folder. */
interface Open extends Pick<Checkout, 'folder'> {
  readonly follow: () => Promise<unknown>
}

/** Creates the functions that start checkouts, each in one of a few places beside the folder. */
export function createCheckouts(options: CheckoutsOptions) {
  const { project, siteId, files, service, signal } = options
  const { folder: root } = project
  const open = new Set<Open>()
  let folder: ReturnType<typeof watchFolder> | undefined
  signal.addEventListener('abort', () => void folder?.close())
  const openIn = (place: number) =>
    openCheckout(project, { ...options, name: place === 0 ? 'draft' : `draft ${place + 1}` })

  /** Starts the server of a checkout, which follows the folder until it is closed. */
  async function run(
    checkout: Checkout,
    follow: Open['follow'],
    onClose = () => {},
  ): Promise<RunningCheckout> {
    const own = { folder: checkout.folder, follow }
    const close = async (): Promise<void> => {
      open.delete(own)
      onClose()
      await checkout.close()
    }
    open.add(own)
    folder ??= watchFolder(root, () => void [...open].map((each) => each.follow()))
    try {
      await follow()
      await checkout.start(signal)
    } catch (error) {
      await close()
      throw error
    }
    return {
      get origin() {
        return checkout.origin
      },
      close,
    }
  }

  return {
    /** Returns what starts the checkout of a draft; `onWritten` gets the pages that it has. */
    draft:
      (session: string, onWritten: (pages: readonly Page[]) => void) =>
      async (place: number): Promise<RunningCheckout> => {
        const { get, log } = await service
        const [draft, follow, events] = await Promise.all([get(drafts), get(following), get(bus)])
        const id = (await get(scope)).draft({ siteId, session })
        const checkout = await openIn(place)
        const pages = async () => {
          await draft.head(id)
          return draft.pages(id)
        }
        const onError = (err: unknown) =>
          log.warn({ err, ...id }, 'the draft could not be written into the checkout')
        const write = createDraftFiles({ root, pages, filesOf: files.filesOf, checkout, onWritten, onError })
        const closed = new AbortController()
        events.subscribe(
          draftChanged,
          (change) => {
            if (change.siteId === id.siteId && change.session === id.session)
              void write({ isRepositoryNew: folder?.seesAll() !== true })
          },
          { signal: AbortSignal.any([signal, closed.signal]) },
        )
        const followed = async () => {
          await follow.follow(id)
          await write({ isRepositoryNew: true })
        }
        return run(checkout, followed, () => {
          closed.abort()
          onWritten([])
        })
      },
    /** Starts the checkout of what is published, which has the files of the folder alone. */
    async published(place: number): Promise<RunningCheckout> {
      const checkout = await openIn(place)
      const { log } = await service
      return run(checkout, () =>
        checkout
          .follow()
          .catch((err: unknown) => log.warn({ err }, 'the checkout could not follow the folder')),
      )
    },
    /** The folder of one that runs. */
    folder: () => [...open][0]?.folder,
  }
}
