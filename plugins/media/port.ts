import { service } from '../../kernel/index.ts'

/** The path below which a website answers for the service, handed in by the host; empty at the root. */
export const mountPath = service<string>('host.mount-path')
