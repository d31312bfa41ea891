import { defineFeature } from '../../feature.ts'
import { cardLink, mountMcp } from './mount.ts'

/** Tools for agents, by the Model Context Protocol. */
export const mcpFeature = defineFeature({ name: 'mcp', mount: mountMcp, headLinks: cardLink })
