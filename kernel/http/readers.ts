import type { ServerResponse } from 'node:http'
import type { Duplex } from 'node:stream'
import type { Refusal } from '../errors.ts'
import { refusals } from '../refusals.ts'

/** Limits for clients that do not read their answers. */
export interface ReaderLimits {
  /** The maximum number of pending or unread answers of one connection, which is closed at twice as many. */
  readonly requests: number
  /** The maximum number of unread answer bytes over all connections of this process. */
  readonly bytes: number
  /** Milliseconds after which a connection that does not read is closed. */
  readonly stalled: number
}

export const readerLimits: ReaderLimits = { requests: 100, bytes: 128 * 1024 * 1024, stalled: 30_000 }

/** The unread answers of one connection. */
export interface Reader {
  /** Counts a pending answer; refuses with 429 `too_many_requests` if there are too many. */
  begin(response: ServerResponse): Refusal | undefined
  /** Removes a pending answer that was read, or was left to the host. */
  end(response: ServerResponse): void
  /** True while an answer is partly sent, which other bytes on the connection would corrupt. */
  isAnswering(): boolean
  /** Counts the bytes of an answer that wait for the client. */
  hold(bytes: number): void
  /** Counts bytes that the client has read. */
  taken(bytes: number): void
}

/**
 * Limits the unread answers of connections. Closes stalled connections, and while too many bytes are unread
 * in total, the one that has stalled longest.
 */
export function createReaders(limits: ReaderLimits = readerLimits): (socket: Duplex) => Reader {
  const { requests: most, bytes: mostBytes, stalled } = limits
  const readers = new WeakMap<Duplex, Reader>()
  /** Functions that close connections with unread answers, the longest stalled first. */
  const behind = new Set<() => void>()
  let waiting = 0

  const open = (socket: Duplex): Reader => {
    const due = new Set<ServerResponse>()
    let bytes = 0
    let timer: NodeJS.Timeout | undefined
    let isCut = false
    const count = (change: number): void => {
      bytes += change
      waiting += change
    }
    const rest = (): void => {
      clearTimeout(timer)
      timer = undefined
      behind.delete(cut)
    }
    const wait = (): void => {
      timer = setTimeout(cut, stalled).unref()
      behind.add(cut)
    }
    const cut = (): void => {
      isCut = true
      count(-bytes)
      rest()
      socket.destroy()
    }
    // Node 22 closes only the response that is being sent, not the queued ones.
    socket.once('close', () => {
      for (const response of due) if (!response.destroyed) response.destroy().emit('close')
    })
    return {
      begin(response) {
        due.add(response)
        if (due.size > most * 2) cut()
        return due.size > most ? refusals.tooManyRequests(most) : undefined
      },
      end: (response) => void due.delete(response),
      isAnswering() {
        const [next] = due
        return next !== undefined && next.headersSent && !next.writableEnded
      },
      hold(added) {
        if (isCut) return
        count(added)
        if (!timer) wait()
        for (const cutLongest of behind) {
          // A single answer may exceed the limit.
          if (waiting <= mostBytes || (behind.size === 1 && due.size <= 1)) break
          cutLongest()
        }
      },
      taken(removed) {
        if (isCut) return
        count(-removed)
        rest()
        if (bytes > 0) wait()
      },
    }
  }

  return (socket) => {
    let reader = readers.get(socket)
    if (!reader) readers.set(socket, (reader = open(socket)))
    return reader
  }
}
