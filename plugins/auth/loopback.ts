import { withLoopbackTwin, type GateRequest } from '../../kernel/index.ts'

/**
 * Tells a program or page on this very machine from everyone else.
 *
 * The peer's address alone says too little: a proxy on this machine speaks for strangers, a name that a
 * stranger points at 127.0.0.1 makes a browser here call for him, and any page in a browser here can send
 * requests. So there must be no header of a proxy, a Host that is a loopback name, and no Origin but a listed
 * one. An unknown address is not local.
 */
export function isLoopback(request: GateRequest, origins: readonly string[]): boolean {
  if (request.remote === undefined || !loopbackAddress.test(request.remote)) return false
  if (!loopbackHost.test(request.header('host') ?? '')) return false
  for (const name of request.headers.keys()) if (forwardingHeader.test(name)) return false
  const origin = request.header('origin')
  return origin === undefined || origins.some((listed) => withLoopbackTwin(listed).includes(origin))
}

const loopbackAddress = /^(?:(?:::ffff:)?127(?:\.\d{1,3}){3}|::1)$/i
const loopbackHost = /^(?:localhost|127\.0\.0\.1|\[::1\])(?::\d+)?$/i
const forwardingHeader = /^(?:forwarded|via|x-real-ip|x-forwarded-.*)$/
