/** The door for tests of plugins, drivers and adapters: `content-orchestrator/testing`. */
export * from '../kernel/testing.ts'
