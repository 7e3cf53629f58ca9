-- Schema version 5: a store of revision a9d6c7b, made by tests/store/versions/make.
PRAGMA foreign_keys=OFF;
BEGIN TRANSACTION;
CREATE TABLE runs (
  id INTEGER PRIMARY KEY,
  name TEXT NOT NULL,
  title TEXT NOT NULL,
  config_text TEXT NOT NULL,
  config_hash TEXT NOT NULL,
  command TEXT NOT NULL,
  version TEXT NOT NULL,
  seed INTEGER NOT NULL,
  environment_json TEXT NOT NULL,
  published_json TEXT NOT NULL,
  state TEXT NOT NULL CHECK (state IN ('running', 'interrupted', 'complete')),
  owner_pid INTEGER NOT NULL,
  owner_start_ticks INTEGER NOT NULL,
  created_at TEXT NOT NULL,
  finished_at TEXT NOT NULL
) STRICT;
INSERT INTO runs VALUES(1,'finished','finished',replace('# The finished run of a dump: times, a paired comparison, replicates, a published figure, and a status of each kind.\n[experiment]\nname = "finished"\n\n[measure]\nsamples = 6\nwarmup_seconds = 0\n\n[compare]\nbaseline = { ns = 1000000 }\n\n[[reference]]\nsource = "Nobody"\nmetric = "median_ns"\naxis = "ns"\nmatch = { workload = "matmul", variant = "steady" }\nvalues = [[1000000, 1000000.0], [1100000, 1200000.0]]\n\n[[sweep]]\nworkload = "matmul"\nbackends = ["fake"]\nvariants = ["steady"]\nmeasure = { mode = "paired", replicates = 2 }\n[sweep.parameters]\nn = [8]\nns = [1000000, 1100000]\n\n[[sweep]]\nworkload = "matmul"\nbackends = ["fake"]\nvariants = ["steady"]\n[sweep.parameters]\nn = [9]\nblock = [2048]\n\n[[sweep]]\nworkload = "matmul"\nbackends = ["fake"]\nvariants = ["wrong", "throws"]\n[sweep.parameters]\nn = [9]\n','\n',char(10)),'581bfb6265711c5b00c7d55fa1420ecc','benchctl run finished.toml','0.2.0',6757635278918804,'[{"key":"cpu.model","class":"must_match","value":"left out"},{"key":"cpu.usable","class":"must_match","value":"left out"},{"key":"cpu.hypervisor","class":"must_match","value":"left out"},{"key":"cpu.online","class":"should_match","value":"left out"},{"key":"cpu.quota","class":"should_match","value":"left out"},{"key":"cpu.set","class":"should_match","value":"left out"},{"key":"cpu.governor","class":"should_match","value":"left out"},{"key":"cpu.frequency_driver","class":"should_match","value":"left out"},{"key":"cpu.clock_limits","class":"should_match","value":"left out"},{"key":"cpu.turbo","class":"should_match","value":"left out"},{"key":"cpu.smt","class":"should_match","value":"left out"},{"key":"cpu.microcode","class":"should_match","value":"left out"},{"key":"memory.total","class":"should_match","value":"left out"},{"key":"memory.limit","class":"should_match","value":"left out"},{"key":"memory.numa_nodes","class":"should_match","value":"left out"},{"key":"memory.numa_balancing","class":"should_match","value":"left out"},{"key":"memory.transparent_hugepage","class":"should_match","value":"left out"},{"key":"memory.transparent_hugepage_defrag","class":"should_match","value":"left out"},{"key":"memory.huge_pages","class":"should_match","value":"left out"},{"key":"system.kernel","class":"should_match","value":"left out"},{"key":"system.clock","class":"should_match","value":"left out"},{"key":"system.release","class":"should_match","value":"left out"},{"key":"system.c_library","class":"should_match","value":"left out"},{"key":"system.container","class":"should_match","value":"left out"},{"key":"system.machine","class":"information","value":"left out"},{"key":"system.host","class":"information","value":"left out"},{"key":"system.load","class":"information","value":"left out"},{"key":"build.benchctl","class":"should_match","value":"0.2.0"},{"key":"build.compiler","class":"should_match","value":"left out"},{"key":"build.type","class":"should_match","value":"left out"},{"key":"build.flags","class":"should_match","value":"left out"},{"key":"library.blas","class":"should_match","value":"left out"},{"key":"plugin.fake","class":"should_match","value":"1.0 (test)"},{"key":"plugin.fake.digest","class":"information","value":"3ef679ef04002e13d8f66443e69a5789"},{"key":"plugin.cpu_avx","class":"should_match","value":"0.2.0 (GNU 12.2.0, Release)"},{"key":"plugin.cpu_avx.digest","class":"information","value":"944fdd3e48118a55a8bbd807413b1a1f"},{"key":"plugin.cuda","class":"should_match","value":"0.2.0 (headers of CUDA 13.0, GNU 12.2.0)"},{"key":"plugin.cuda.digest","class":"information","value":"eaed0a13ab3071d26f5c109ff293bea2"},{"key":"plugin.nvml","class":"should_match","value":"0.2.0 (GNU 12.2.0)"},{"key":"plugin.nvml.digest","class":"information","value":"8b290def808263914a4a545937e34d69"},{"key":"plugin.opencl","class":"should_match","value":"0.2.0 (GNU 12.2.0, Release, CLBlast)"},{"key":"plugin.opencl.digest","class":"information","value":"593911f2c46396b1a2afd299989be0e0"}]','[{"axis":"ns","hardware":"","match":{"variant":"steady","workload":"matmul"},"metric":"median_ns","relative_to":null,"source":"Nobody","unit":"","values":[[1000000,1000000.0],[1100000,1200000.0]]}]','complete',2147483647,393485,'2026-11-25T23:16:13.580Z','2026-11-25T23:16:13.631Z');
INSERT INTO runs VALUES(2,'interrupted','interrupted',replace('# The run of a dump that is killed at its second problem.\n[experiment]\nname = "interrupted"\n\n[measure]\nsamples = 6\nwarmup_seconds = 0\n\n[[sweep]]\nworkload = "matmul"\nbackends = ["fake"]\nvariants = ["steady", "noisy"]\n[sweep.parameters]\nn = [8, 9, 10]\nns = [1000000]\n','\n',char(10)),'be82ed8c7a87c737412a2459c8381e18','benchctl run interrupted.toml','0.2.0',6410530944823442,'[{"key":"cpu.model","class":"must_match","value":"left out"},{"key":"cpu.usable","class":"must_match","value":"left out"},{"key":"cpu.hypervisor","class":"must_match","value":"left out"},{"key":"cpu.online","class":"should_match","value":"left out"},{"key":"cpu.quota","class":"should_match","value":"left out"},{"key":"cpu.set","class":"should_match","value":"left out"},{"key":"cpu.governor","class":"should_match","value":"left out"},{"key":"cpu.frequency_driver","class":"should_match","value":"left out"},{"key":"cpu.clock_limits","class":"should_match","value":"left out"},{"key":"cpu.turbo","class":"should_match","value":"left out"},{"key":"cpu.smt","class":"should_match","value":"left out"},{"key":"cpu.microcode","class":"should_match","value":"left out"},{"key":"memory.total","class":"should_match","value":"left out"},{"key":"memory.limit","class":"should_match","value":"left out"},{"key":"memory.numa_nodes","class":"should_match","value":"left out"},{"key":"memory.numa_balancing","class":"should_match","value":"left out"},{"key":"memory.transparent_hugepage","class":"should_match","value":"left out"},{"key":"memory.transparent_hugepage_defrag","class":"should_match","value":"left out"},{"key":"memory.huge_pages","class":"should_match","value":"left out"},{"key":"system.kernel","class":"should_match","value":"left out"},{"key":"system.clock","class":"should_match","value":"left out"},{"key":"system.release","class":"should_match","value":"left out"},{"key":"system.c_library","class":"should_match","value":"left out"},{"key":"system.container","class":"should_match","value":"left out"},{"key":"system.machine","class":"information","value":"left out"},{"key":"system.host","class":"information","value":"left out"},{"key":"system.load","class":"information","value":"left out"},{"key":"build.benchctl","class":"should_match","value":"0.2.0"},{"key":"build.compiler","class":"should_match","value":"left out"},{"key":"build.type","class":"should_match","value":"left out"},{"key":"build.flags","class":"should_match","value":"left out"},{"key":"library.blas","class":"should_match","value":"left out"},{"key":"plugin.fake","class":"should_match","value":"1.0 (test)"},{"key":"plugin.fake.digest","class":"information","value":"3ef679ef04002e13d8f66443e69a5789"},{"key":"plugin.cpu_avx","class":"should_match","value":"0.2.0 (GNU 12.2.0, Release)"},{"key":"plugin.cpu_avx.digest","class":"information","value":"944fdd3e48118a55a8bbd807413b1a1f"},{"key":"plugin.cuda","class":"should_match","value":"0.2.0 (headers of CUDA 13.0, GNU 12.2.0)"},{"key":"plugin.cuda.digest","class":"information","value":"eaed0a13ab3071d26f5c109ff293bea2"},{"key":"plugin.nvml","class":"should_match","value":"0.2.0 (GNU 12.2.0)"},{"key":"plugin.nvml.digest","class":"information","value":"8b290def808263914a4a545937e34d69"},{"key":"plugin.opencl","class":"should_match","value":"0.2.0 (GNU 12.2.0, Release, CLBlast)"},{"key":"plugin.opencl.digest","class":"information","value":"593911f2c46396b1a2afd299989be0e0"}]','[]','running',2147483647,393505,'2026-11-25T23:16:13.692Z','');
CREATE TABLE lanes (
  id INTEGER PRIMARY KEY,
  run INTEGER NOT NULL REFERENCES runs,
  name TEXT NOT NULL,
  backend TEXT NOT NULL,
  device_json TEXT NOT NULL,
  UNIQUE (run, name)
) STRICT;
INSERT INTO lanes VALUES(1,1,'fake:0','fake','{"architecture":"fake","compute_units":1,"driver":"fake 1.0","features":[],"fp16":false,"fp64":true,"id":"0","last_level_cache_bytes":1048576,"limits":{"local_memory_bytes":0,"max_allocation_bytes":0,"max_block":[0,0,0],"max_block_threads":0,"max_grid":[0,0,0],"memory_bytes":1073741824},"max_batch":1000,"memory":{"bank_bytes":0,"banks":0,"dram":0,"line":0,"sector":0,"warp":0},"name":"Fake device 0","physical":"fake:0","properties":{},"timer_step_ns":1.0,"type":"cpu","vendor":"Nobody"}');
INSERT INTO lanes VALUES(2,2,'fake:0','fake','{"architecture":"fake","compute_units":1,"driver":"fake 1.0","features":[],"fp16":false,"fp64":true,"id":"0","last_level_cache_bytes":1048576,"limits":{"local_memory_bytes":0,"max_allocation_bytes":0,"max_block":[0,0,0],"max_block_threads":0,"max_grid":[0,0,0],"memory_bytes":1073741824},"max_batch":1000,"memory":{"bank_bytes":0,"banks":0,"dram":0,"line":0,"sector":0,"warp":0},"name":"Fake device 0","physical":"fake:0","properties":{},"timer_step_ns":1.0,"type":"cpu","vendor":"Nobody"}');
CREATE TABLE points (
  id INTEGER PRIMARY KEY,
  run INTEGER NOT NULL REFERENCES runs,
  ordinal INTEGER NOT NULL,
  sweep INTEGER NOT NULL,
  label TEXT NOT NULL,
  workload TEXT NOT NULL,
  variant TEXT NOT NULL,
  backend TEXT NOT NULL,
  device TEXT NOT NULL,
  problem_json TEXT NOT NULL,
  layout TEXT NOT NULL,
  tunables_json TEXT NOT NULL,
  measure_json TEXT NOT NULL,
  time_basis TEXT NOT NULL,
  expect TEXT NOT NULL,
  content_key TEXT NOT NULL,
  vendor INTEGER NOT NULL,
  flops REAL,
  bytes_read REAL,
  bytes_written REAL,
  accesses REAL,
  status TEXT NOT NULL,
  reason TEXT NOT NULL,
  finished INTEGER NOT NULL,
  reused_from INTEGER REFERENCES points,
  UNIQUE (run, ordinal)
) STRICT;
INSERT INTO points VALUES(1,1,0,0,'matmul/steady @ fake:0 dtype=f32 k=8 m=8 n=8 block=1 correlation=0 drift=0 fault_verb=run noise=0 noise_seed=1 ns=1000000 process=0 tail=0 tile=1','matmul','steady','fake','fake:0','{"dtype":"f32","k":8,"m":8,"n":8}','','{"block":1,"correlation":0.0,"drift":0.0,"fault_verb":"run","noise":0.0,"noise_seed":1,"ns":1000000,"process":0.0,"tail":0.0,"tile":1}','{"basis":"device","cache":"hot","fixed_samples":6,"launch":"stream","max_samples":10000,"max_seconds":2.0,"min_sample_ns":20000.0,"min_samples":30,"min_timer_steps":200.0,"mode":"paired","replicates":2,"seed":0,"target":0.01,"warmup_seconds":0.0}','device','right','3a27e5061d99196c3edc168ca791586a',0,1024.0,512.0,256.0,0.0,'ok','',1,NULL);
INSERT INTO points VALUES(2,1,1,0,'matmul/steady @ fake:0 dtype=f32 k=8 m=8 n=8 block=1 correlation=0 drift=0 fault_verb=run noise=0 noise_seed=1 ns=1100000 process=0 tail=0 tile=1','matmul','steady','fake','fake:0','{"dtype":"f32","k":8,"m":8,"n":8}','','{"block":1,"correlation":0.0,"drift":0.0,"fault_verb":"run","noise":0.0,"noise_seed":1,"ns":1100000,"process":0.0,"tail":0.0,"tile":1}','{"basis":"device","cache":"hot","fixed_samples":6,"launch":"stream","max_samples":10000,"max_seconds":2.0,"min_sample_ns":20000.0,"min_samples":30,"min_timer_steps":200.0,"mode":"paired","replicates":2,"seed":0,"target":0.01,"warmup_seconds":0.0}','device','right','eeb8412dadc88245afc2fcac04dd96ab',0,1024.0,512.0,256.0,0.0,'ok','',1,NULL);
INSERT INTO points VALUES(3,1,2,1,'matmul/steady @ fake:0 dtype=f32 k=9 m=9 n=9 block=2048 correlation=0 drift=0 fault_verb=run noise=0 noise_seed=1 ns=100000 process=0 tail=0 tile=1','matmul','steady','fake','fake:0','{"dtype":"f32","k":9,"m":9,"n":9}','','{"block":2048,"correlation":0.0,"drift":0.0,"fault_verb":"run","noise":0.0,"noise_seed":1,"ns":100000,"process":0.0,"tail":0.0,"tile":1}','{"basis":"device","cache":"hot","fixed_samples":6,"launch":"stream","max_samples":10000,"max_seconds":2.0,"min_sample_ns":20000.0,"min_samples":30,"min_timer_steps":200.0,"mode":"independent","replicates":1,"seed":0,"target":0.01,"warmup_seconds":0.0}','device','right','',0,0.0,0.0,0.0,0.0,'skipped','constraint: variant ''steady'' needs block <= 1024 (block=2048)',1,NULL);
INSERT INTO points VALUES(4,1,3,2,'matmul/wrong @ fake:0 dtype=f32 k=9 m=9 n=9 correlation=0 drift=0 fault_verb=run noise=0 noise_seed=1 ns=100000 process=0 tail=0 tile=1','matmul','wrong','fake','fake:0','{"dtype":"f32","k":9,"m":9,"n":9}','','{"correlation":0.0,"drift":0.0,"fault_verb":"run","noise":0.0,"noise_seed":1,"ns":100000,"process":0.0,"tail":0.0,"tile":1}','{"basis":"device","cache":"hot","fixed_samples":6,"launch":"stream","max_samples":10000,"max_seconds":2.0,"min_sample_ns":20000.0,"min_samples":30,"min_timer_steps":200.0,"mode":"independent","replicates":1,"seed":0,"target":0.01,"warmup_seconds":0.0}','device','right','3317839cd0bc603ae54faf247cd2e861',0,1458.0,648.0,324.0,0.0,'wrong','error norm 0.111 exceeds the tolerance 1.72e-06 of f32 sums of 9 products; worst C[8, 8] = 0.637360156, expected -0.362639888',1,NULL);
INSERT INTO points VALUES(5,1,4,2,'matmul/throws @ fake:0 dtype=f32 k=9 m=9 n=9 correlation=0 drift=0 fault_verb=run noise=0 noise_seed=1 ns=100000 process=0 tail=0 tile=1','matmul','throws','fake','fake:0','{"dtype":"f32","k":9,"m":9,"n":9}','','{"correlation":0.0,"drift":0.0,"fault_verb":"run","noise":0.0,"noise_seed":1,"ns":100000,"process":0.0,"tail":0.0,"tile":1}','{"basis":"device","cache":"hot","fixed_samples":6,"launch":"stream","max_samples":10000,"max_seconds":2.0,"min_sample_ns":20000.0,"min_samples":30,"min_timer_steps":200.0,"mode":"independent","replicates":1,"seed":0,"target":0.01,"warmup_seconds":0.0}','device','right','ffee9c7d735f07f66017c4742c57eb01',0,1458.0,648.0,324.0,0.0,'launch_error','verifying: scripted failure',1,NULL);
INSERT INTO points VALUES(6,2,0,0,'matmul/steady @ fake:0 dtype=f32 k=8 m=8 n=8 block=1 correlation=0 drift=0 fault_verb=run noise=0 noise_seed=1 ns=1000000 process=0 tail=0 tile=1','matmul','steady','fake','fake:0','{"dtype":"f32","k":8,"m":8,"n":8}','','{"block":1,"correlation":0.0,"drift":0.0,"fault_verb":"run","noise":0.0,"noise_seed":1,"ns":1000000,"process":0.0,"tail":0.0,"tile":1}','{"basis":"device","cache":"hot","fixed_samples":6,"launch":"stream","max_samples":10000,"max_seconds":2.0,"min_sample_ns":20000.0,"min_samples":30,"min_timer_steps":200.0,"mode":"independent","replicates":1,"seed":0,"target":0.01,"warmup_seconds":0.0}','device','right','29d7c1771ca7bd24ab88c7c68bb537f3',0,1024.0,512.0,256.0,0.0,'ok','',1,NULL);
INSERT INTO points VALUES(7,2,1,0,'matmul/noisy @ fake:0 dtype=f32 k=8 m=8 n=8 correlation=0 drift=0 fault_verb=run noise=0 noise_seed=1 ns=1000000 process=0 tail=0 tile=1','matmul','noisy','fake','fake:0','{"dtype":"f32","k":8,"m":8,"n":8}','','{"correlation":0.0,"drift":0.0,"fault_verb":"run","noise":0.0,"noise_seed":1,"ns":1000000,"process":0.0,"tail":0.0,"tile":1}','{"basis":"device","cache":"hot","fixed_samples":6,"launch":"stream","max_samples":10000,"max_seconds":2.0,"min_sample_ns":20000.0,"min_samples":30,"min_timer_steps":200.0,"mode":"independent","replicates":1,"seed":0,"target":0.01,"warmup_seconds":0.0}','device','right','81f38211701ae16d12a6d5ef9f41a6f9',0,1024.0,512.0,256.0,0.0,'ok','',1,NULL);
INSERT INTO points VALUES(8,2,2,0,'matmul/steady @ fake:0 dtype=f32 k=9 m=9 n=9 block=1 correlation=0 drift=0 fault_verb=run noise=0 noise_seed=1 ns=1000000 process=0 tail=0 tile=1','matmul','steady','fake','fake:0','{"dtype":"f32","k":9,"m":9,"n":9}','','{"block":1,"correlation":0.0,"drift":0.0,"fault_verb":"run","noise":0.0,"noise_seed":1,"ns":1000000,"process":0.0,"tail":0.0,"tile":1}','{"basis":"device","cache":"hot","fixed_samples":6,"launch":"stream","max_samples":10000,"max_seconds":2.0,"min_sample_ns":20000.0,"min_samples":30,"min_timer_steps":200.0,"mode":"independent","replicates":1,"seed":0,"target":0.01,"warmup_seconds":0.0}','device','right','8c02cfaf1865bba6dff1d79052375c41',0,1458.0,648.0,324.0,0.0,'not_run','',0,NULL);
INSERT INTO points VALUES(9,2,3,0,'matmul/noisy @ fake:0 dtype=f32 k=9 m=9 n=9 correlation=0 drift=0 fault_verb=run noise=0 noise_seed=1 ns=1000000 process=0 tail=0 tile=1','matmul','noisy','fake','fake:0','{"dtype":"f32","k":9,"m":9,"n":9}','','{"correlation":0.0,"drift":0.0,"fault_verb":"run","noise":0.0,"noise_seed":1,"ns":1000000,"process":0.0,"tail":0.0,"tile":1}','{"basis":"device","cache":"hot","fixed_samples":6,"launch":"stream","max_samples":10000,"max_seconds":2.0,"min_sample_ns":20000.0,"min_samples":30,"min_timer_steps":200.0,"mode":"independent","replicates":1,"seed":0,"target":0.01,"warmup_seconds":0.0}','device','right','2b0336595f87779a01a83e124064a5b6',0,1458.0,648.0,324.0,0.0,'not_run','',0,NULL);
INSERT INTO points VALUES(10,2,4,0,'matmul/steady @ fake:0 dtype=f32 k=10 m=10 n=10 block=1 correlation=0 drift=0 fault_verb=run noise=0 noise_seed=1 ns=1000000 process=0 tail=0 tile=1','matmul','steady','fake','fake:0','{"dtype":"f32","k":10,"m":10,"n":10}','','{"block":1,"correlation":0.0,"drift":0.0,"fault_verb":"run","noise":0.0,"noise_seed":1,"ns":1000000,"process":0.0,"tail":0.0,"tile":1}','{"basis":"device","cache":"hot","fixed_samples":6,"launch":"stream","max_samples":10000,"max_seconds":2.0,"min_sample_ns":20000.0,"min_samples":30,"min_timer_steps":200.0,"mode":"independent","replicates":1,"seed":0,"target":0.01,"warmup_seconds":0.0}','device','right','eba451a3d697cc18fbc5a532e388123c',0,2000.0,800.0,400.0,0.0,'not_run','',0,NULL);
INSERT INTO points VALUES(11,2,5,0,'matmul/noisy @ fake:0 dtype=f32 k=10 m=10 n=10 correlation=0 drift=0 fault_verb=run noise=0 noise_seed=1 ns=1000000 process=0 tail=0 tile=1','matmul','noisy','fake','fake:0','{"dtype":"f32","k":10,"m":10,"n":10}','','{"correlation":0.0,"drift":0.0,"fault_verb":"run","noise":0.0,"noise_seed":1,"ns":1000000,"process":0.0,"tail":0.0,"tile":1}','{"basis":"device","cache":"hot","fixed_samples":6,"launch":"stream","max_samples":10000,"max_seconds":2.0,"min_sample_ns":20000.0,"min_samples":30,"min_timer_steps":200.0,"mode":"independent","replicates":1,"seed":0,"target":0.01,"warmup_seconds":0.0}','device','right','ae8d64fab4c53122c37bb9452f9ceaeb',0,2000.0,800.0,400.0,0.0,'not_run','',0,NULL);
CREATE TABLE measurements (
  point INTEGER PRIMARY KEY REFERENCES points,
  n_samples INTEGER NOT NULL,
  batch INTEGER NOT NULL,
  gated INTEGER NOT NULL,
  median_ns REAL, ci_low_ns REAL, ci_high_ns REAL,
  min_ns REAL, max_ns REAL, mean_ns REAL, mad_ns REAL,
  p5_ns REAL, p25_ns REAL, p75_ns REAL, p95_ns REAL,
  warmup_ns REAL,
  stop TEXT NOT NULL,
  note TEXT NOT NULL
) STRICT;
INSERT INTO measurements VALUES(1,12,1,0,1000000.0,1000000.0,1000000.0,1000000.0,1000000.0,1000000.0,0.0,1000000.0,1000000.0,1000000.0,1000000.0,2000000.0,'fixed','');
INSERT INTO measurements VALUES(2,8,1,0,1100000.0,1100000.0,1100000.0,1100000.0,1100000.0,1100000.0,0.0,1100000.0,1100000.0,1100000.0,1100000.0,2200000.0,'fixed','');
INSERT INTO measurements VALUES(6,6,1,0,1000000.0,1000000.0,1000000.0,1000000.0,1000000.0,1000000.0,0.0,1000000.0,1000000.0,1000000.0,1000000.0,1000000.0,'fixed','');
INSERT INTO measurements VALUES(7,6,1,0,1000000.0,1000000.0,1000000.0,1000000.0,1000000.0,1000000.0,0.0,1000000.0,1000000.0,1000000.0,1000000.0,1000000.0,'fixed','');
CREATE TABLE verifications (
  point INTEGER NOT NULL REFERENCES points,
  phase TEXT NOT NULL CHECK (phase IN ('before', 'after')),
  ok INTEGER NOT NULL,
  reason TEXT NOT NULL,
  error_norm REAL, tolerance_norm REAL,
  worst_error REAL, worst_tolerance REAL,
  worst_element TEXT NOT NULL,
  checked INTEGER NOT NULL,
  not_a_number INTEGER NOT NULL,
  guard_bytes_changed INTEGER NOT NULL,
  PRIMARY KEY (point, phase)
) STRICT, WITHOUT ROWID;
INSERT INTO verifications VALUES(1,'after',1,'',5.0826803652150415045e-08,1.6518123698891422206e-06,1.4982830975895922165e-07,3.5353725253930544489e-06,'C[3, 4]',64,0,0);
INSERT INTO verifications VALUES(1,'before',1,'',5.0826803652150415045e-08,1.6518123698891422206e-06,1.4982830975895922165e-07,3.5353725253930544489e-06,'C[3, 4]',64,0,0);
INSERT INTO verifications VALUES(2,'after',1,'',5.0826803652150415045e-08,1.6518123698891422206e-06,1.4982830975895922165e-07,3.5353725253930544489e-06,'C[3, 4]',64,0,0);
INSERT INTO verifications VALUES(2,'before',1,'',5.0826803652150415045e-08,1.6518123698891422206e-06,1.4982830975895922165e-07,3.5353725253930544489e-06,'C[3, 4]',64,0,0);
INSERT INTO verifications VALUES(4,'before',0,'error norm 0.111 exceeds the tolerance 1.72e-06 of f32 sums of 9 products; worst C[8, 8] = 0.637360156, expected -0.362639888',0.11111111598443788872,1.7192608239479013085e-06,1.0000000438597425045,3.814697265625e-06,'C[8, 8]',81,0,0);
INSERT INTO verifications VALUES(6,'after',1,'',5.7533505629189085027e-08,1.6518123698891422206e-06,1.4652614765964244725e-07,3.5353725253930544489e-06,'C[5, 5]',64,0,0);
INSERT INTO verifications VALUES(6,'before',1,'',6.047788106320558439e-08,1.6518123698891422206e-06,1.4867664788198453607e-07,3.5353725253930544489e-06,'C[2, 7]',64,0,0);
INSERT INTO verifications VALUES(7,'after',1,'',5.9257464377211413976e-08,1.6518123698891422206e-06,2.4276698695757659152e-07,3.5353725253930544489e-06,'C[1, 7]',64,0,0);
INSERT INTO verifications VALUES(7,'before',1,'',6.047788106320558439e-08,1.6518123698891422206e-06,1.4867664788198453607e-07,3.5353725253930544489e-06,'C[2, 7]',64,0,0);
CREATE TABLE resources (
  point INTEGER NOT NULL REFERENCES points,
  metric TEXT NOT NULL,
  value REAL,
  PRIMARY KEY (point, metric)
) STRICT, WITHOUT ROWID;
INSERT INTO resources VALUES(1,'audit_fresh',1.0);
INSERT INTO resources VALUES(1,'audit_host',-0.0007519999999999999558);
INSERT INTO resources VALUES(1,'audit_known',1.0);
INSERT INTO resources VALUES(1,'between_spread',0.0);
INSERT INTO resources VALUES(1,'device_bytes',13056.0);
INSERT INTO resources VALUES(1,'peak_host_bytes',9506816.0);
INSERT INTO resources VALUES(1,'registers',42.0);
INSERT INTO resources VALUES(1,'replicates',2.0);
INSERT INTO resources VALUES(1,'within_spread',0.0);
INSERT INTO resources VALUES(2,'audit_fresh',1.0);
INSERT INTO resources VALUES(2,'audit_host',-0.00010909090909090909244);
INSERT INTO resources VALUES(2,'audit_known',1.0);
INSERT INTO resources VALUES(2,'between_spread',0.0);
INSERT INTO resources VALUES(2,'device_bytes',13056.0);
INSERT INTO resources VALUES(2,'peak_host_bytes',9506816.0);
INSERT INTO resources VALUES(2,'registers',42.0);
INSERT INTO resources VALUES(2,'replicates',2.0);
INSERT INTO resources VALUES(2,'within_spread',0.0);
INSERT INTO resources VALUES(4,'device_bytes',13824.0);
INSERT INTO resources VALUES(4,'registers',42.0);
INSERT INTO resources VALUES(5,'device_bytes',13824.0);
INSERT INTO resources VALUES(5,'registers',42.0);
INSERT INTO resources VALUES(6,'audit_fresh',1.0);
INSERT INTO resources VALUES(6,'audit_known',1.0);
INSERT INTO resources VALUES(6,'device_bytes',13056.0);
INSERT INTO resources VALUES(6,'peak_host_bytes',9121792.0);
INSERT INTO resources VALUES(6,'registers',42.0);
INSERT INTO resources VALUES(7,'audit_fresh',1.0);
INSERT INTO resources VALUES(7,'audit_known',1.0);
INSERT INTO resources VALUES(7,'device_bytes',13056.0);
INSERT INTO resources VALUES(7,'peak_host_bytes',9121792.0);
INSERT INTO resources VALUES(7,'registers',42.0);
CREATE TABLE notes (
  point INTEGER NOT NULL REFERENCES points,
  key TEXT NOT NULL,
  text TEXT NOT NULL,
  PRIMARY KEY (point, key)
) STRICT, WITHOUT ROWID;
INSERT INTO notes VALUES(1,'kernel','scripted');
INSERT INTO notes VALUES(2,'kernel','scripted');
INSERT INTO notes VALUES(4,'kernel','scripted');
INSERT INTO notes VALUES(5,'kernel','scripted');
INSERT INTO notes VALUES(6,'kernel','scripted');
INSERT INTO notes VALUES(7,'kernel','scripted');
CREATE TABLE events (
  id INTEGER PRIMARY KEY,
  run INTEGER NOT NULL REFERENCES runs,
  time TEXT NOT NULL,
  text TEXT NOT NULL
) STRICT;
CREATE TABLE roofs (
  run INTEGER NOT NULL REFERENCES runs,
  lane TEXT NOT NULL,
  probe TEXT NOT NULL,
  per_second REAL NOT NULL,
  source INTEGER NOT NULL REFERENCES points,
  PRIMARY KEY (run, lane, probe)
) STRICT, WITHOUT ROWID;
INSERT INTO roofs VALUES(1,'fake:0','dram_copy',1000000000.0,1);
CREATE TABLE samples (
  id INTEGER PRIMARY KEY,
  point INTEGER NOT NULL REFERENCES points,
  session INTEGER NOT NULL,
  replicate INTEGER NOT NULL,
  round INTEGER NOT NULL,
  batch INTEGER NOT NULL,
  gated INTEGER NOT NULL,
  ns BLOB NOT NULL,
  readings_json TEXT NOT NULL,
  note TEXT NOT NULL,
  used INTEGER NOT NULL,
  stored_at TEXT NOT NULL,
  UNIQUE (point, session, replicate, round)
) STRICT;
INSERT INTO samples VALUES(1,1,0,0,0,1,0,X'0000000080842e410000000080842e41','{"peak_host_bytes":[9388032.0]}','',1,'2026-11-25T23:16:13.604Z');
INSERT INTO samples VALUES(2,2,0,0,0,1,0,X'00000000e0c83041','{"peak_host_bytes":[9388032.0]}','',1,'2026-11-25T23:16:13.604Z');
INSERT INTO samples VALUES(3,2,0,0,1,1,0,X'00000000e0c83041','{"peak_host_bytes":[9388032.0]}','',1,'2026-11-25T23:16:13.605Z');
INSERT INTO samples VALUES(4,1,0,0,1,1,0,X'0000000080842e410000000080842e41','{"peak_host_bytes":[9388032.0]}','',1,'2026-11-25T23:16:13.605Z');
INSERT INTO samples VALUES(5,1,0,0,2,1,0,X'0000000080842e410000000080842e41','{"peak_host_bytes":[9388032.0]}','',1,'2026-11-25T23:16:13.605Z');
INSERT INTO samples VALUES(6,2,0,0,2,1,0,X'00000000e0c83041','{"peak_host_bytes":[9388032.0]}','',1,'2026-11-25T23:16:13.607Z');
INSERT INTO samples VALUES(7,2,0,0,3,1,0,X'00000000e0c83041','{"peak_host_bytes":[9388032.0]}','',1,'2026-11-25T23:16:13.607Z');
INSERT INTO samples VALUES(8,2,0,1,0,1,0,X'00000000e0c83041','{"peak_host_bytes":[9506816.0]}','',1,'2026-11-25T23:16:13.620Z');
INSERT INTO samples VALUES(9,1,0,1,0,1,0,X'0000000080842e410000000080842e41','{"peak_host_bytes":[9506816.0]}','',1,'2026-11-25T23:16:13.621Z');
INSERT INTO samples VALUES(10,2,0,1,1,1,0,X'00000000e0c83041','{"peak_host_bytes":[9506816.0]}','',1,'2026-11-25T23:16:13.621Z');
INSERT INTO samples VALUES(11,1,0,1,1,1,0,X'0000000080842e410000000080842e41','{"peak_host_bytes":[9506816.0]}','',1,'2026-11-25T23:16:13.621Z');
INSERT INTO samples VALUES(12,1,0,1,2,1,0,X'0000000080842e410000000080842e41','{"peak_host_bytes":[9506816.0]}','',1,'2026-11-25T23:16:13.622Z');
INSERT INTO samples VALUES(13,2,0,1,2,1,0,X'00000000e0c83041','{"peak_host_bytes":[9506816.0]}','',1,'2026-11-25T23:16:13.624Z');
INSERT INTO samples VALUES(14,2,0,1,3,1,0,X'00000000e0c83041','{"peak_host_bytes":[9506816.0]}','',1,'2026-11-25T23:16:13.624Z');
INSERT INTO samples VALUES(15,7,0,0,0,1,0,X'0000000080842e410000000080842e410000000080842e410000000080842e410000000080842e410000000080842e41','{"peak_host_bytes":[9121792.0]}','',1,'2026-11-25T23:16:14.412Z');
INSERT INTO samples VALUES(16,6,0,0,0,1,0,X'0000000080842e410000000080842e410000000080842e410000000080842e410000000080842e410000000080842e41','{"peak_host_bytes":[9121792.0]}','',1,'2026-11-25T23:16:15.316Z');
CREATE TABLE comparisons (
  point INTEGER PRIMARY KEY REFERENCES points,
  baseline TEXT NOT NULL,
  rounds INTEGER NOT NULL,
  time_ratio REAL NOT NULL, ci_low REAL, ci_high REAL,
  p_value REAL NOT NULL,
  comparisons INTEGER NOT NULL,
  threshold REAL NOT NULL,
  verdict TEXT NOT NULL
) STRICT;
INSERT INTO comparisons VALUES(2,'matmul/steady @ fake:0 dtype=f32 k=8 m=8 n=8 block=1 correlation=0 drift=0 fault_verb=run noise=0 noise_seed=1 ns=1000000 process=0 tail=0 tile=1',6,1.1000000000000009769,NULL,NULL,0.03125,1,0.010000000000000000208,'not_resolved');
CREATE TABLE baselines (
  name TEXT PRIMARY KEY,
  run INTEGER NOT NULL REFERENCES runs,
  set_at TEXT NOT NULL
) STRICT, WITHOUT ROWID;
INSERT INTO baselines VALUES('release',1,'2026-11-25T23:16:15.547Z');
CREATE TABLE run_files (
  run INTEGER NOT NULL REFERENCES runs,
  name TEXT NOT NULL,
  contents BLOB NOT NULL,
  PRIMARY KEY (run, name)
) STRICT, WITHOUT ROWID;
CREATE TABLE merged_runs (
  run INTEGER PRIMARY KEY REFERENCES runs,
  store TEXT NOT NULL,
  original INTEGER NOT NULL,
  conflicts_with INTEGER REFERENCES runs,
  merged_at TEXT NOT NULL
) STRICT;
CREATE INDEX runs_by_config ON runs (config_hash);
CREATE INDEX points_by_content ON points (content_key) WHERE finished = 1 AND status = 'ok';
COMMIT;
PRAGMA application_id = 1112429396;
PRAGMA user_version = 5;
