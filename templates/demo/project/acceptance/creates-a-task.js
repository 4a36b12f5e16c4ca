import assert from 'node:assert/strict';
import { createTask } from '../src/tasks.js';

assert.deepEqual(createTask('Buy milk', ['shop']), { title: 'Buy milk', tags: ['shop'], done: false });
