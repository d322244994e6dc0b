import { inject, type Injected, type Injection } from './http/inject.ts'
import { toAnswer, type HttpRequest, type HttpResponse } from './http/message.ts'
import { toNodeHandler, type NodeHandler } from './http/node.ts'
import { toWebHandler, type WebHandler } from './http/web.ts'
import { createKernel, type Kernel, type KernelOptions } from './kernel.ts'
import { refusals } from './refusals.ts'
import type { MountedRoute } from './route-list.ts'
import type { ServiceRef } from './service.ts'

/** A kernel behind three transports. */
export interface Mount {
  readonly node: NodeHandler
  readonly fetch: WebHandler
  /** The path prefix of all routes; empty at the root. */
  readonly basePath: string
  inject(injection: Injection): Promise<Injected>
  /** Boots if necessary, and returns the routes. */
  ready(): Promise<readonly MountedRoute[]>
  get<T>(ref: ServiceRef<T>): Promise<T>
  close(): Promise<void>
  [Symbol.asyncDispose](): Promise<void>
}

/**
 * Mounts a kernel that boots once: on the first request, or on `ready()`. After a failed boot the next
 * request tries again. After `close`, requests are refused with 503 `closing`, and a mount that has not
 * booted stays down. A base path, such as `/api/orchestrator`, is the prefix of all routes.
 */
export function mount(
  options: KernelOptions | (() => Promise<KernelOptions>),
  { basePath = '' }: { readonly basePath?: string } = {},
): Mount {
  let kernel: Kernel | undefined
  let booting: Promise<Kernel> | undefined
  let isClosed = false
  const boot = async (): Promise<Kernel> => {
    if (isClosed && !booting) throw refusals.closing()
    booting ??= (async () => createKernel(typeof options === 'function' ? await options() : options))()
    booting.then(
      (booted) => void (kernel = booted),
      () => void (booting = undefined),
    )
    return booting
  }
  const dispatch = (request: HttpRequest): HttpResponse | Promise<HttpResponse> => {
    if (kernel) return kernel.dispatch(request)
    if (isClosed && !booting) return toAnswer(refusals.closing())
    return boot().then((booted) => booted.dispatch(request))
  }
  const close = async (): Promise<void> => {
    isClosed = true
    // A failed boot leaves nothing open.
    await (await booting?.catch(() => undefined))?.close()
  }
  return {
    node: toNodeHandler(dispatch, basePath),
    fetch: toWebHandler(dispatch, basePath),
    basePath,
    inject: ({ remote = '127.0.0.1', ...injection }) => inject(dispatch, { ...injection, remote }, basePath),
    ready: async () => (await boot()).routes,
    get: async (ref) => (await boot()).get(ref),
    close,
    [Symbol.asyncDispose]: close,
  }
}
