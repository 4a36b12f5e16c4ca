import assert from 'node:assert/strict';
import { createTask } from '../src/tasks.js';

assert.throws(() => createTask(' '), /title/, 'an empty title must be refused');
